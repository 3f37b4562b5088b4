import Base
import Evidence
import Operations
import Rendering

/// What people must know of a store's files before they trust what was read of them.
struct FileCautions {
  let damage: StoreDamage?
  let isWALMissing: Bool

  init(_ opened: OpenedStore) throws {
    damage = try opened.damage()
    isWALMissing = opened.files.isWALMissing
  }

  /// One line at most: damage explains more than a -wal that isn't there.
  var blocks: [Document.Block] { damageBlocks.isEmpty ? walBlocks : damageBlocks }

  var damageBlocks: [Document.Block] {
    damage.map { [.text("\($0.headline). 'storescope doctor STORE' shows all that is wrong.")] } ?? []
  }

  var walBlocks: [Document.Block] { isWALMissing ? [.text(StoreFiles.walMissing)] : [] }

  static let field = Field<Self>("damage", "what is damaged, a clause; null if nothing shows at a glance") {
    $0.damage?.clause
  }

  /// Whether an operation may be applied: it refuses what SQLite's full check finds damaged.
  var condition: Precondition {
    guard let damage, damage.part != .wal else {
      return Precondition(
        "intact", holds: true,
        "No damage of the store's file shows at a glance; --apply runs SQLite's full check first.")
    }
    return Precondition(
      "intact", holds: false,
      damage.part == .pairing
        ? "\(damage.headline). Move the -wal away first."
        : "The store is damaged: \(damage.clause). Restore a backup, or rebuild a copy with sqlite3's .recover."
    )
  }

  /// What can go wrong with an operation for these reasons.
  func warnings(of operation: Operation) -> [String] {
    var warnings: [String] = []
    if let damage, damage.part == .wal {
      warnings.append(
        "\(Sentence.begun(damage.clause)). What was saved there is lost. --apply moves the rest into the store's file."
      )
    }
    if isWALMissing {
      warnings.append("\(StoreFiles.walMissing) \(operation.withoutWAL) \(StoreFiles.walAdvice)")
    }
    return warnings
  }
}
