import Archives
import SystemCalls
package import Values

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
