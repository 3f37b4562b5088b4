import Lens
import Operations
import Rendering
import SystemCalls
import Values

/// What a restore would put in the place of what, for those who decide.
struct RestorePlan {
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
  private enum Saved {
    case unknown(String)
    case nothing
    case transactions(ClosedRange<Int64>, newest: CoreDataDate?)

    static func since(_ restore: Restore) throws -> Self {
      func read(_ path: String) throws -> (numbers: ClosedRange<Int64>, newest: CoreDataDate?)? {
        let session = Session(path: path, goesOn: { !Interruption.isRequested })
        let open = try session.open()
        let reader = try HistoryReader(open.store, open.tables)?.transactions
        let numbers = try reader?.numbers()
        let newest = try reader?.newestTime()
        try session.finish()
        return numbers.map { ($0, newest) }
      }
      do {
        guard let now = try read(restore.target),
          let then = try read("\(restore.backup.folder)/\(restore.backup.manifest.storeName)")
        else { return .unknown("no history is kept") }
        guard now.numbers.upperBound > then.numbers.upperBound else { return .nothing }
        let first = max(then.numbers.upperBound + 1, now.numbers.lowerBound)
        return .transactions(first...now.numbers.upperBound, newest: now.newest)
      } catch {
        try Interruption.check()
        return .unknown("\(error)")
      }
    }
  }

  private var bytes: Int64 { restore.backup.manifest.files.reduce(0) { $0.addingClamped($1.bytes) } }

  var pairs: [(String, DataValue)] {
    let manifest = restore.backup.manifest
    return [
      ("store", .text(restore.target)), ("backup", .text(restore.backup.folder)),
      ("made", .date(manifest.time)), ("before", .text(manifest.operation)),
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
        (numbers.count == 1
          ? "transaction \(numbers.lowerBound)"
          : "transactions \(numbers.lowerBound) to \(numbers.upperBound)")
          + (newest.map { ", the newest on \(dates.minute($0))\(dates.zone)" } ?? "")
          + "; only the replaced files have them afterward"
      }
    return sentence.map { ("saved since", .text($0)) }
  }

  var value: DataValue {
    var since: DataValue = .null
    if case .transactions(let numbers, let newest) = saved {
      since = [
        "first": .integer(numbers.lowerBound), "last": .integer(numbers.upperBound),
        "newest": .optional(newest),
      ]
    }
    return [
      "store": .text(restore.target), "backup": .text(restore.backup.folder),
      "replaces": .bool(restore.occupant != .nothing), "bytes": .integer(bytes), "savedSince": since,
    ]
  }
}
