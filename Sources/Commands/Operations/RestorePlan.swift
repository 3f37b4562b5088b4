import Base
import Lens
import Operations
import Rendering

/// What a restore would put in the place of what, for those who decide.
struct RestorePlan: HasFields {
  private let restore: Restore
  private let dates: DateText
  private let saved: Saved?

  /// Reads both stores, and lets go of them: none may be open when the files are replaced.
  init(_ restore: Restore, _ invocation: Invocation) throws {
    self.restore = restore
    dates = invocation.dates
    saved = restore.occupant == .store ? try Saved.since(restore) : nil
  }

  /// What was saved after the backup was made, as far as history shows.
  fileprivate enum Saved {
    case unknown(String)
    case nothing
    /// Both went on from a common history, of which this number is the first that differs: an older backup was restored
    /// in between, and the app went on from there.
    case diverged(at: Int64, newest: CoreDataDate?)
    case transactions(ClosedRange<Int64>, newest: CoreDataDate?)

    static func since(_ restore: Restore) throws -> Self {
      let backup = "\(restore.backup.folder)/\(restore.backup.manifest.storeName)"
      let sessions = [restore.target, backup].map { Session(path: $0, goesOn: { !Interruption.isRequested }) }
      do {
        let saved = try compared(sessions)
        for session in sessions { try session.finish() }
        return saved
      } catch {
        try Interruption.check()
        return .unknown("\(error)")
      }
    }

    /// The store that is there, and the backup's.
    private static func compared(_ sessions: [Session]) throws -> Self {
      let opened = try sessions.map { try $0.open() }
      let readers = try opened.compactMap { try HistoryReader($0.store, $0.tables)?.transactions }
      guard readers.count == sessions.count, let now = try readers[0].numbers(),
        let then = try readers[1].numbers()
      else { return .unknown("no history is kept") }
      let common = try CommonHistory(opened[0].store, opened[1].store)
      let newest = try readers[0].time(of: now.upperBound)
      if common.isDiverged { return .diverged(at: common.base + 1, newest: newest) }
      guard now.upperBound > then.upperBound else { return .nothing }
      return .transactions(max(then.upperBound + 1, now.lowerBound)...now.upperBound, newest: newest)
    }
  }

  private var bytes: Int64 { restore.backup.manifest.files.reduce(0) { $0.addingClamped($1.bytes) } }

  var pairs: [(String, DataValue)] {
    let manifest = restore.backup.manifest
    return [
      ("store", .text(restore.target)), ("backup", .text(restore.backup.folder)),
      ("made", .text("\(dates.minute(manifest.time))\(dates.zone)")), ("before", .text(manifest.operation)),
      ("holds", .text("\(Sentence.count(manifest.files.count, "file")), \(Sentence.size(bytes))")),
    ]
  }

  /// What is lost to the store, though not to the disk.
  var savedSince: (String, DataValue)? {
    let sentence =
      switch saved {
      case nil: nil as String?
      case .unknown(let why): "unknown: \(why)"
      case .nothing: "nothing, as far as history shows"
      case .transactions(let numbers, let newest):
        (numbers.lowerBound == numbers.upperBound
          ? "transaction \(numbers.lowerBound)"
          : "transactions \(numbers.lowerBound) to \(numbers.upperBound)")
          + suffix(newest)
      case .diverged(let number, let newest):
        "history differs from the backup's: transaction \(number) isn't the same one" + suffix(newest)
      }
    return sentence.map { ("saved since", .text($0)) }
  }

  private func suffix(_ newest: CoreDataDate?) -> String {
    (newest.map { ", the newest on \(dates.minute($0))\(dates.zone)" } ?? "")
      + "; only the replaced files have them afterward"
  }

  static let fields: [Field<Self>] = [
    Field("store", "the path to restore to") { $0.restore.target },
    Field("backup", "the backup's folder") { $0.restore.backup.folder },
    Field("replaces", "whether anything is there now") { $0.restore.occupant != .nothing },
    Field("bytes", "its size") { $0.bytes },
    Field("savedSince", "what was saved after the backup was made; null if no store is there") { $0.saved },
  ]
}

extension RestorePlan.Saved: HasFields {
  static let fields: [Field<Self>] = [
    Field("state", .words(["unknown", "nothing", "diverged", "transactions"]), "what is known of it") {
      switch $0 {
      case .unknown: "unknown"
      case .nothing: "nothing"
      case .diverged: "diverged"
      case .transactions: "transactions"
      }
    },
    Field("problem", "why it isn't known", if: "the state is unknown") { saved -> String? in
      if case .unknown(let why) = saved { why } else { nil }
    },
    Field("differs", "the first transaction that differs", if: "the state is diverged") { saved -> Int64? in
      if case .diverged(let number, _) = saved { number } else { nil }
    },
    Field("first", "the first transaction", if: areTransactions) { $0.numbers?.lowerBound },
    Field("last", "the last one", if: areTransactions) { $0.numbers?.upperBound },
    Field("newest", .date, "when the newest was saved", if: "there is one") { saved -> DataValue? in
      switch saved {
      case .diverged(_, let newest), .transactions(_, let newest): .optional(newest)
      case .unknown, .nothing: nil
      }
    },
  ]
  private static let areTransactions = "the state is transactions"

  private var numbers: ClosedRange<Int64>? {
    if case .transactions(let numbers, _) = self { numbers } else { nil }
  }
}
