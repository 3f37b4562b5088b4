extension EntityNumbering {
  /// The numbers that a store gives to the model's entities: those of Z_PRIMARYKEY where the names agree; where
  /// they don't, the row under the number that the rule predicts, whose name is then a stale one.
  ///
  /// A store of one configuration numbers only that configuration's entities; the others are left out.
  package static func joining(
    _ model: ManagedObjectModel, _ primaryKeys: PrimaryKeyTable
  ) -> (EntityNumbering, [SchemaDiscrepancy]) {
    let names = Dictionary(
      primaryKeys.user.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    var best = EntityNumbering(model: model)
    func agreement(_ numbering: EntityNumbering) -> Int {
      numbering.entries.count { names[$0.number] == $0.name }
    }
    if agreement(best) < best.entries.count {
      let listed = Set(names.values)
      let subsets = model.configurations.sorted { $0.key < $1.key }.map(\.value) + [listed]
      for subset in subsets {
        let numbering = EntityNumbering(model: model, only: subset)
        if agreement(numbering) > agreement(best) { best = numbering }
      }
    }
    return best.joined(to: primaryKeys, among: model)
  }

  private func joined(
    to primaryKeys: PrimaryKeyTable, among model: ManagedObjectModel
  ) -> (EntityNumbering, [SchemaDiscrepancy]) {
    var rows = Dictionary(primaryKeys.user.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    let byName = Dictionary(primaryKeys.user.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var numbers: [Int64?] = []
    for entry in entries {
      let row = byName[entry.name].flatMap { rows.removeValue(forKey: $0.number) }
      numbers.append(row?.number)
    }
    var staleNames: [Int: String] = [:]
    var discrepancies: [SchemaDiscrepancy] = []
    var taken = Set(primaryKeys.user.map(\.number))
    var unused = (taken.union(entries.map(\.number)).max() ?? 0)
    for (index, entry) in entries.enumerated() where numbers[index] == nil {
      if let row = rows.removeValue(forKey: entry.number) {
        numbers[index] = row.number
        staleNames[index] = row.name
        discrepancies.append(
          SchemaDiscrepancy(.staleEntityName, entity: row.name, expected: entry.name))
      } else {
        if taken.insert(entry.number).inserted {
          numbers[index] = entry.number
        } else {
          unused += 1
          numbers[index] = unused
        }
        discrepancies.append(SchemaDiscrepancy(.entityWithoutNumber, entity: entry.name))
      }
    }
    let walk = HierarchyWalk(model.entities.filter { self[$0.name] != nil })
    var joined = EntityNumbering(walk: walk, numbers: numbers.compactMap { $0 })
    for (index, name) in staleNames { joined.entries[index].staleName = name }

    let parents = Dictionary(
      primaryKeys.user.map { ($0.number, $0.parent) }, uniquingKeysWith: { first, _ in first })
    for (predicted, entry) in zip(entries, joined.entries) {
      guard let parent = parents[entry.number] else { continue }
      if predicted.number != entry.number || parent != entry.parent {
        let place = "number \(predicted.number)" + (predicted.parent.map { " below number \($0)" } ?? "")
        discrepancies.append(SchemaDiscrepancy(.numberingDiffers, entity: entry.name, expected: place))
      }
    }
    for row in rows.values.sorted(by: { $0.number < $1.number }) {
      discrepancies.append(SchemaDiscrepancy(.numberWithoutEntity, entity: row.name))
    }
    return (joined, discrepancies)
  }
}
