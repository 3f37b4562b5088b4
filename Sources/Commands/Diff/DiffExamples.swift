import Comparison
import Lens
import Rendering
import StoreModel
import Values

/// Some of the objects that differ, as people read them: by entity, with titles and changed values.
struct DiffExamples {
  private let comparison: StoreComparison
  private let lists: DiffLists
  private let most: Int
  private let mostLines: Int
  /// Whether added and removed objects have their values below them.
  private let hasValues: Bool
  /// Whether the shell's store is the other one: an earlier state of it comes first.
  private let opensOther: Bool
  private static let (mostExamples, longestValue) = (1000, 60)

  /// - Parameter most: how many objects of each kind of difference; nil for a number that keeps the list short.
  init(
    _ comparison: StoreComparison, _ lists: DiffLists, most: Int?,
    hasValues: Bool, opensOther: Bool
  ) {
    self.comparison = comparison
    self.lists = lists
    let isLong = comparison.entities.count { !$0.isEmpty } > 6
    self.most = min(most ?? (isLong ? 1 : 3), Self.mostExamples)
    mostLines = most != nil ? 100 : hasValues ? 20 : 5
    self.hasValues = hasValues
    self.opensOther = opensOther
  }

  /// Whether some objects have no line.
  var areCut: Bool {
    comparison.entities.contains { [$0.changed, $0.added, $0.removed].contains { $0.count > most } }
  }

  func groups() throws -> [Document.Group] {
    var groups: [Document.Group] = []
    for (index, entity) in comparison.entities.enumerated() {
      if !entity.changed.isEmpty {
        groups.append(
          Document.Group(
            count: entity.changed.count, title: "\(entity.name) changed", items: try changed(index)))
      }
      if !entity.added.isEmpty {
        groups.append(
          Document.Group(
            count: entity.added.count, title: "\(entity.name) added",
            items: try items(.added, entity), hasObjects: opensOther))
      }
      if !entity.removed.isEmpty {
        groups.append(
          Document.Group(
            count: entity.removed.count, title: "\(entity.name) removed",
            items: try items(.removed, entity), hasObjects: !opensOther))
      }
    }
    return groups
  }

  private func items(_ side: DiffValues.Side, _ difference: EntityDifference) throws -> [Document.Group.Item]
  {
    var items: [Document.Group.Item] = []
    let isAdded = side == .added
    guard let entity = isAdded ? difference.other : difference.store, most > 0 else { return items }
    func add(_ key: Int64, _ lines: [String]) throws -> Bool {
      items.append(try item(key, entity, isAdded ? lists.titles.other : lists.titles.store, lines))
      return items.count < most
    }
    if hasValues, let values = try lists.values(side, of: difference) {
      try values.forEach { key, members in
        try add(key, shown(members.map { "\($0.name): \(shortened(text($0.value)))" }))
      }
    } else {
      try difference[side].forEach { try add($0, []) }
    }
    return items
  }

  /// As many lines as fit below an object.
  private func shown(_ lines: [String]) -> [String] {
    let more = lines.count - mostLines
    return lines.prefix(mostLines)
      + (more > 0 ? ["… \(Sentence.count(more, "more property", "more properties"))"] : [])
  }

  private func changed(_ index: Int) throws -> [Document.Group.Item] {
    var items: [Document.Group.Item] = []
    guard let entity = comparison.entities[index].store, most > 0 else { return items }
    try lists.forEachChange(index) { uri, _, changes in
      items.append(try item(uri.key, entity, lists.titles.store, shown(changes.map(line))))
      return items.count < most
    }
    return items
  }

  private func item(
    _ key: Int64, _ entity: SchemaEntity, _ titles: ObjectTitles, _ lines: [String]
  ) throws -> Document.Group.Item {
    Document.Group.Item(
      "\(entity.name)/p\(key)",
      title: try titles.title(of: ObjectKey(entity: entity.number, primaryKey: key)), lines: lines)
  }

  // MARK: - Values

  /// `budget: 1249.5 → 1312.4`
  private func line(_ change: PropertyChange) -> String {
    if case .links(let removed, let added, let isReordered) = change.what {
      var parts = [("added", added), ("removed", removed)].filter { !$0.1.isEmpty }.map { word, uris in
        "\(word) \(shortened(text(.array(uris.map(DataValue.text)))))"
      }
      if isReordered { parts.append("another order") }
      return "\(change.name): \(parts.joined(separator: "; "))"
    }
    let (from, to) = DiffLists.ends(change)
    let (before, after) = Self.difference(text(from), text(to))
    // Of blobs and the like only sizes are shown.
    guard before != after else { return "\(change.name) differs" }
    return "\(change.name): \(shortened(before)) → \(shortened(after))"
  }

  private func text(_ value: DataValue) -> String {
    switch value {
    case .null: "NULL"
    case .text(""): "\"\""
    default: CellText.of(lists.short(value))
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
