import Base
import Evidence
import Lens
import SQLite
import StoreModel

extension Rule {
  static let storeRecreated = Rule(
    "store-recreated"
  ) { examination, findings in
    let copies = try PutAsideCopies(examination).copies
    let own = try copies.isEmpty ? 0 : examination.store.rowCounts().values.reduce(0, +)
    for copy in copies {
      if let rows = copy.rows, rows > own { findings.severity = .warning }
      let rows = copy.rows.map { "\(Sentence.count($0, "row")); this one has \(Sentence.number(own))" }
      findings.add(
        subject: copy.name,
        [
          "file": .text(copy.name), "bytes": .integer(copy.bytes),
          "rows": .optional(copy.rows.map(Int64.init)), "rowsHere": .count(own),
          "what": .text(
            " next to it looks like a copy that was put aside (\(rows ?? Sentence.size(copy.bytes)))"),
        ])
    }
    guard let start = try FirstImport(examination, findings.header) else { return }
    findings.add(
      subject: "history",
      [
        "file": "", "began": .optional(start.began), "oldestRecord": .date(start.oldest),
        "inserts": .count(start.inserts), "transaction": .integer(start.transaction),
        "what": .text(
          "its history begins at \(start.began?.iso8601 ?? "an unknown time") with an import of \(Sentence.count(start.inserts, "object")), the oldest of which is from \(start.oldest.iso8601 ?? "an earlier time")"
        ),
      ])
  }
}

/// A history that begins with a download of what is much older: the store was new then.
private struct FirstImport {
  var began: CoreDataDate?
  var oldest: CoreDataDate
  var inserts: Int
  var transaction: Int64

  /// Of so many records the date is read.
  private static let sample = 50

  init?(_ examination: Examination, _ header: RuleHeader) throws {
    guard let mirror = examination.mirror, examination.tables.has(.records),
      let transactions = try mirror.transactions, let numbers = try transactions.numbers(),
      numbers.lowerBound == 1, let history = try HistoryReader(examination.store)
    else { return nil }
    // Setup comes before the first import.
    let first = try (numbers.lowerBound...min(numbers.upperBound, numbers.lowerBound + 9)).lazy
      .compactMap { try transactions.transaction($0) }.first { $0.origin == .app || $0.origin == .importing }
    guard let first, first.origin == .importing, let began = first.timestamp else { return nil }
    let inserts = try history.changes(ofTransaction: first.number).counts.inserts
    guard Double(inserts) >= examination.setting("least", of: header) else { return nil }
    var oldest: CoreDataDate?
    try examination.store.connection.forEachRow(
      """
      SELECT core_data_date(created) FROM (SELECT created FROM records WHERE acknowledged ORDER BY records.row LIMIT \(Self.sample))
      WHERE created IS NOT NULL
      """
    ) { row in
      guard let seconds = row.optionalReal(0) else { return }
      oldest = min(oldest ?? CoreDataDate(seconds: seconds), CoreDataDate(seconds: seconds))
    }
    guard let oldest,
      (began.seconds - oldest.seconds) / 86_400 >= examination.setting("days", of: header)
    else { return nil }
    self.began = began
    self.oldest = oldest
    self.inserts = inserts
    transaction = first.number
  }
}

/// Stores in the same folder whose names say that they were put aside for this one.
private struct PutAsideCopies {
  struct Copy {
    var name: String
    var bytes: Int64
    /// Nil if it can't be read, or is too large to be.
    var rows: Int?
  }

  private static let words = [
    "old", "backup", "bak", "corrupt", "corrupted", "broken", "damaged", "failed", "recovered", "recovery",
    "previous",
    "quarantine", "original", "orig",
  ]
  private static let mostNames = 10_000
  private static let most = 5
  /// Larger ones aren't read: that would take longer than everything else.
  private static let mostBytes: Int64 = 1_000_000_000
  private(set) var copies: [Copy] = []

  init(_ examination: Examination) throws {
    guard let opened = examination.opened else {
      throw Rule.filesUnknown
    }
    let path = opened.files.resolvedPath
    let own = Platform.fileName(path)
    let folder = String(path.dropLast(own.count))
    guard let names = try? FileReader.names(in: folder.isEmpty ? "." : folder, limit: Self.mostNames) else {
      return
    }
    let stem = SideFiles.stem(of: own).lowercased()
    for name in names where name != own && SideFiles.owner(of: name) == nil && copies.count < Self.most {
      let lower = name.lowercased()
      guard Self.isName(lower, of: stem, own.lowercased()) else { continue }
      let parts = lower.split { !$0.isLetter }.map(String.init)
      guard parts.contains(where: Self.words.contains), !Self.words.contains(where: { stem.contains($0) }),
        FileReader.kind(of: folder + name) == .file, StoreHeader.isDatabase(folder + name),
        !opened.files.includes(folder + name)
      else { continue }
      var copy = Copy(name: name, bytes: FileReader.size(of: folder + name) ?? 0)
      if copy.bytes <= Self.mostBytes, let opened = try? StoreOpener.open(path: folder + name),
        let store = try? OpenStore(opened, path: folder + name).store
      {
        // Another app's store may have such a name, too.
        guard !Self.entities(of: store).isDisjoint(with: Self.entities(of: examination.store)) else {
          continue
        }
        copy.rows = try? store.rowCounts().values.reduce(0, +)
      }
      copies.append(copy)
    }
  }

  private static func entities(of store: CoreDataStore) -> Set<String> {
    Set(store.schema.entities.map(\.name))
  }

  /// `App-old.sqlite`, `App.sqlite.bak` and `old-App.sqlite`, but not `Application.sqlite`.
  private static func isName(_ name: String, of stem: String, _ own: String) -> Bool {
    func isSeparator(_ character: Character?) -> Bool {
      character.map { !$0.isLetter && !$0.isNumber } ?? true
    }
    return name.hasPrefix(stem) && isSeparator(name.dropFirst(stem.count).first)
      || name.hasSuffix(own) && isSeparator(name.dropLast(own.count).last)
  }
}
