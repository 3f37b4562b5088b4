import Base
import Comparison
import Lens
import Rendering
import StoreModel

/// Some of the objects that differ, as people read them: by entity, with titles and changed values.
struct DiffExamples {
  private let comparison: StoreComparison
  private let objects: DiffObjects
  private let most: Int
  private let mostLines: Int
  /// Whether added and removed objects have their values below them.
  private let hasValues: Bool
  /// Whether the shell's store is the other one: an earlier state of it comes first.
  private let opensOther: Bool
  private static let (mostExamples, longestValue) = (1000, 60)

  /// - Parameter most: how many objects of each kind of difference; nil for a number that keeps the list short.
  init(
    _ comparison: StoreComparison, _ objects: DiffObjects, most: Int?,
    hasValues: Bool, opensOther: Bool
  ) {
    self.comparison = comparison
    self.objects = objects
    let isLong = comparison.entities.count { !$0.isEmpty } > 6
    self.most = min(most ?? (isLong ? 1 : 3), Self.mostExamples)
    mostLines = most != nil ? 100 : hasValues ? 20 : 5
    self.hasValues = hasValues
    self.opensOther = opensOther
  }

  /// Whether some objects have no line.
  var areCut: Bool {
    comparison.entities.contains { entity in
      DiffObjects.Change.allCases.contains { entity[$0].count > most }
    }
  }

  func groups() throws -> [Document.Group] {
    var groups: [Document.Group] = []
    for (index, entity) in comparison.entities.enumerated() {
      for change in [DiffObjects.Change.changed, .added, .removed] where !entity[change].isEmpty {
        groups.append(
          Document.Group(
            count: entity[change].count, title: "\(entity.name) \(change.rawValue)",
            items: try items(change, index),
            hasObjects: change == .changed || (change == .added) == opensOther))
      }
    }
    return groups
  }

  private func items(_ change: DiffObjects.Change, _ index: Int) throws -> [Document.Group.Item] {
    var items: [Document.Group.Item] = []
    let entity = comparison.entities[index]
    guard (change == .added ? entity.other : entity.store) != nil, most > 0 else { return items }
    try objects.forEach(change, index, hasValues: hasValues) { object in
      items.append(
        Document.Group.Item(
          "\(entity.name)/p\(object.key)", title: try object.title(),
          lines: shown(object.properties.map { line($0, change) })))
      return items.count < most
    }
    return items
  }

  /// As many lines as fit below an object.
  private func shown(_ lines: [String]) -> [String] {
    let more = lines.count - mostLines
    return lines.prefix(mostLines)
      + (more > 0 ? ["… \(Sentence.count(more, "more property", "more properties"))"] : [])
  }

  // MARK: - Values

  /// `budget: 1249.5 → 1312.4`
  private func line(_ change: PropertyChange, _ what: DiffObjects.Change) -> String {
    if case .links(let removed, let added, let isReordered) = change.what {
      var parts = [("added", added), ("removed", removed)].filter { !$0.1.isEmpty }.map { word, uris in
        "\(word) \(shortened(text(.array(uris.map(DataValue.text)))))"
      }
      if isReordered { parts.append("another order") }
      return "\(change.name): \(parts.joined(separator: "; "))"
    }
    let (from, to) = change.ends
    if what != .changed { return "\(change.name): \(shortened(text(what == .added ? to : from)))" }
    let (before, after) = Self.difference(text(from), text(to))
    // Of blobs and the like only sizes are shown.
    guard before != after else { return "\(change.name) differs" }
    return "\(change.name): \(shortened(before)) → \(shortened(after))"
  }

  private func text(_ value: DataValue) -> String {
    switch value {
    case .null: "NULL"
    case .text(""): "\"\""
    default: CellText.of(objects.short(value))
    }
  }

  private func shortened(_ text: String) -> String { TerminalText.shortened(text, to: Self.longestValue) }

  /// Two long texts from a little before the place where they part.
  private static func difference(_ one: String, _ other: String) -> (String, String) {
    let common = zip(one, other).prefix { $0 == $1 }.count
    let kept = 12
    guard common > longestValue / 2, max(one.utf8.count, other.utf8.count) > longestValue else {
      return (one, other)
    }
    return ("…" + one.dropFirst(common - kept), "…" + other.dropFirst(common - kept))
  }
}
