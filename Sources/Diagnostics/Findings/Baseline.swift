import Archives
package import Base

/// Findings that a team has accepted: only what comes on top counts.
package struct Baseline: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var count = 0
    package var marks: Set<Mark> = []

    package init() {}

    /// Whether a finding was there before. Of more findings than marks are kept for, the number decides.
    func knows(_ mark: Mark, after known: Int) -> Bool {
      count > marks.count ? known < count : marks.contains(mark)
    }
  }

  private var entries: [String: Entry] = [:]

  package init() {}

  package subscript(rule: String) -> Entry { entries[rule] ?? Entry() }

  /// All that a diagnosis found, what an older baseline knew included.
  package init(_ diagnosis: Diagnosis) {
    for finding in diagnosis.findings + diagnosis.accepted {
      var entry = Entry()
      entry.count = finding.count + finding.known
      entry.marks = Set(finding.marks)
      entries[finding.rule.id] = entry
    }
  }

  /// Reads what `findings` makes; nil if it is something else.
  init?(_ findings: DataValue?) {
    guard case .array(let findings) = findings else { return nil }
    for finding in findings {
      guard let rule = finding["rule"]?.text, case .integer(let count) = finding["count"],
        case .array(let texts) = finding["marks"]
      else { return nil }
      var entry = Entry()
      entry.count = Int(clamping: max(0, count))
      let marks = texts.compactMap { $0.text.flatMap(Mark.init) }
      guard marks.count == texts.count else { return nil }
      entry.marks = Set(marks)
      entries[rule] = entry
    }
  }

  var findings: DataValue {
    .array(
      entries.sorted { $0.key < $1.key }.map { rule, entry -> DataValue in
        [
          "rule": .text(rule), "count": .count(entry.count),
          "marks": .array(entry.marks.sorted().map { .text($0.text) }),
        ]
      })
  }
}

/// What a baseline's file holds: the accepted findings of one store, or of several, each under its own name.
package struct BaselineFile: Sendable, Equatable {
  private struct Part: Equatable {
    /// As it was given.
    var path: String
    var uuid: String?
    var baseline: Baseline
  }

  private enum Content: Equatable {
    /// It holds for any store: each run of a test makes another one.
    case anyStore(Baseline)
    case stores([Part])
  }

  private let content: Content

  /// What was found in one store, or in several.
  /// - Parameter former: the file to be replaced. One of several stores keeps what it has of others.
  package init(
    _ stores: [(path: String, uuid: String?, diagnosis: Diagnosis)], replacing former: BaselineFile? = nil
  ) {
    let new = stores.map { Part(path: $0.path, uuid: $0.uuid, baseline: Baseline($0.diagnosis)) }
    guard case .stores(var parts)? = former?.content else {
      content = new.count == 1 ? .anyStore(new[0].baseline) : .stores(new)
      return
    }
    // Found before any is replaced: of two new copies of a store, one takes its part, and both are kept.
    var added: [Part] = []
    var replaced: Set<Int> = []
    for (part, index) in new.map({ ($0, Self.index(of: $0.path, $0.uuid, in: parts)) }) {
      if let index, replaced.insert(index).inserted { parts[index] = part } else { added.append(part) }
    }
    content = .stores(parts + added)
  }

  /// What was accepted of a store, which is known by its path, else by its identifier, else by its file's name; nil if
  /// the file doesn't have it.
  package func baseline(ofStoreAt path: String, uuid: String?) -> Baseline? {
    guard case .stores(let parts) = content else {
      if case .anyStore(let baseline) = content { return baseline }
      return nil
    }
    return Self.index(of: path, uuid, in: parts).map { parts[$0].baseline }
  }

  private static func index(of path: String, _ uuid: String?, in parts: [Part]) -> Int? {
    /// Of copies of a store, which one is meant isn't known.
    func only(_ isMeant: (Part) -> Bool) -> Int? {
      let found = parts.indices.filter { isMeant(parts[$0]) }
      return found.count == 1 ? found[0] : nil
    }
    return only { $0.path == path } ?? only { uuid != nil && $0.uuid == uuid }
      ?? only { Platform.fileName($0.path) == Platform.fileName(path) }
  }

  private static let schema = "storescope/baseline/1"

  /// Reads what `value` makes.
  /// - Throws: `StoreScopeError` where the text is something else.
  package init(json: String, path: String) throws {
    func refuse(_ why: String) -> StoreScopeError {
      StoreScopeError(
        .foreign, path, "isn't a baseline of storescope: \(why)",
        advice: "write one with 'storescope doctor STORE --write-baseline FILE'")
    }
    func baseline(_ findings: DataValue?) throws -> Baseline {
      guard let baseline = Baseline(findings) else {
        throw refuse("a finding has no valid rule, count or marks")
      }
      return baseline
    }
    let value: DataValue
    do throws(ArchiveError) { value = try JSONReader.read(json) } catch { throw refuse(error.description) }
    guard value["schema"]?.text == Self.schema else { throw refuse("it has no schema '\(Self.schema)'") }
    guard case .array(let stores) = value["stores"] else {
      content = .anyStore(try baseline(value["findings"]))
      return
    }
    content = .stores(
      try stores.map { store in
        guard let path = store["path"]?.text else { throw refuse("a store lacks its path") }
        return Part(path: path, uuid: store["uuid"]?.text, baseline: try baseline(store["findings"]))
      })
  }

  package var value: DataValue {
    switch content {
    case .anyStore(let baseline): ["schema": .text(Self.schema), "findings": baseline.findings]
    case .stores(let parts):
      [
        "schema": .text(Self.schema),
        "stores": .array(
          parts.map {
            ["path": .text($0.path), "uuid": .optional($0.uuid), "findings": $0.baseline.findings]
          }),
      ]
    }
  }
}

/// A short name for a finding that stays the same: for baselines.
package struct Mark: Hashable, Comparable, Sendable {
  /// A number, as a rule may keep ten thousand.
  private let number: UInt64

  /// Of the rule and of what the finding is about. The identifier of the store is left out of URIs: each run of a test
  /// makes a store with a new one.
  init(rule: String, subject: String) {
    let scheme = "x-coredata://"
    var name = ""
    var rest = subject[...]
    while let start = rest.firstRange(of: scheme) {
      name += rest[..<start.upperBound]
      rest = rest[start.upperBound...].drop { $0 != "/" }
    }
    number = Self.number(Array((rule + "\u{0}" + name + rest).utf8).withUnsafeBytes(SHA256.digest))
  }

  /// Nil for what isn't the text of a mark.
  init?(_ text: String) {
    guard text.utf8.count == 16, let bytes = Hexadecimal.bytes(text) else { return nil }
    number = Self.number(bytes)
  }

  private static func number(_ bytes: [UInt8]) -> UInt64 {
    bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// 16 hexadecimal digits.
  var text: String { withUnsafeBytes(of: number.bigEndian) { Hexadecimal.lowercase($0) } }

  package static func < (one: Mark, other: Mark) -> Bool { one.number < other.number }
}
