/// Finds a predicted join table among the real ones. Which side names it isn't certain, nor are the digits behind
/// a name that was taken; the numbers and relationships in the names are.
struct JoinTableSearch {
  private let predicted: JoinTableNaming.JoinTable

  init(_ predicted: JoinTableNaming.JoinTable) { self.predicted = predicted }

  func table(among tables: [String: Set<String>]) -> String? {
    let names = [predicted.naming, predicted.other].map { "Z_\($0.entity)\($0.relationship.uppercased())" }
    return ([predicted.name] + names).first { tables[$0] != nil }
      ?? tables.keys.filter { key in names.contains { Self.isNumbered(key, $0) } }.min()
  }

  /// The table with its real columns, nil where it lacks one of the two keys; and which predicted columns it lacks.
  func columns(of table: String, _ real: Set<String>) -> (JoinTableNaming.JoinTable?, missing: [String]) {
    var rest = real
    var missing: [String] = []
    // Exact names first, so that a numbered one isn't taken for its neighbor.
    var wanted = [predicted.namingColumn, predicted.otherColumn]
    var found = wanted.map { rest.remove($0) }
    let sides = [(predicted.naming, predicted.other), (predicted.other, predicted.naming)]
    for (index, (side, far)) in sides.enumerated() where found[index] == nil {
      let base = "Z_\(side.entity)\(far.relationship.uppercased())"
      let match = rest.filter { $0 == base || Self.isNumbered($0, base) }.min()
      found[index] = match.flatMap { rest.remove($0) }
      if found[index] == nil { missing.append(wanted[index]) }
    }
    guard let first = found[0], let second = found[1] else { return (nil, missing) }
    wanted = [first, second]
    var join = predicted
    join.name = table
    join.namingColumn = first
    join.otherColumn = second
    func order(_ predicted: String?, beside column: String) -> String? {
      guard let predicted else { return nil }
      let names = [predicted, "Z_FOK_" + column.dropFirst(2), "Z_FOK_" + column]
      if let name = names.first(where: rest.contains) { return name }
      missing.append(predicted)
      return nil
    }
    join.namingOrder = order(predicted.namingOrder, beside: second)
    join.otherOrder = order(predicted.otherOrder, beside: first)
    return (join, missing)
  }

  private static func isNumbered(_ name: String, _ base: String) -> Bool {
    guard name.hasPrefix(base) else { return false }
    let digits = name.utf8.dropFirst(base.utf8.count)
    return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
  }
}

extension JoinTableNaming.JoinTable {
  var columns: [String] { [namingColumn, otherColumn] + [namingOrder, otherOrder].compactMap { $0 } }
}
