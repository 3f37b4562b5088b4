import Forge
import TestSupport

/// The demo store in a folder of its own, and the truth of what it holds.
struct Demo {
  let folder: TemporaryFolder
  let path: String
  let truth: ForgeTruth
  let mirror: MirrorTruth
  let uuid: String

  /// - Parameter edit: done with the forge's own connection, past its truth.
  init(leaving leftovers: StoreForge.Leftovers = .wal, _ edit: (StoreForge) throws -> Void = { _ in }) throws
  {
    folder = try TemporaryFolder("demo")
    let forged = try DemoStore.mirror(in: folder.path)
    let forge = forged.forge
    try edit(forge)
    truth = forge.truth
    mirror = forged.truth
    path = forge.path
    uuid = forge.options.uuid
    try forge.close(leaving: leftovers)
  }

  /// How many objects of each entity there were after the transaction, told from the changes.
  func counts(after transaction: Int64) -> [String: Int] {
    var counts: [String: Int] = [:]
    for change in truth.changes where change.transaction <= transaction {
      switch change.kind {
      case .insert: counts[change.object.entity, default: 0] += 1
      case .delete: counts[change.object.entity, default: 0] -= 1
      case .update: break
      }
    }
    return counts.filter { $0.value != 0 }
  }
}
