/// All in which two stores, or two states of one, differ.
package struct StoreComparison {
  package enum Part: String, Sendable, CaseIterable {
    case objects, history, mirror, findings
  }

  package struct Options: Sendable {
    /// Nil for what fits the stores.
    package var matching: Matching?
    package var parts: Set<Part>
    /// Nil for all.
    package var entities: Set<String>?
    /// Objects and evidence of each finding.
    package var limit: Int

    package init(matching: Matching?, parts: Set<Part>, entities: Set<String>?, limit: Int) {
      self.matching = matching
      self.parts = parts
      self.entities = entities
      self.limit = limit
    }
  }

  package let matching: Matching
  /// Nil for parts that weren't asked for, the model among them without objects, and for the mirror where neither store has one.
  package let model: ModelComparison?
  package let objects: ObjectComparison?
  package let history: HistoryComparison?
  package let mirror: MirrorComparison?
  package let findings: FindingComparison?
  /// Places in `objects.entities` of those asked for.
  package let entityIndexes: [Int]

  /// - Parameter progress: called with what is being done, again and again.
  /// - Throws: `StoreScopeError` where objects can't be matched, or a store can't be read.
  package init(
    _ store: ComparedStore, _ other: ComparedStore, options: Options, progress: @escaping (String) -> Void
  ) throws {
    let parts = options.parts
    matching = try options.matching ?? Matching.chosen(store, other)
    model =
      parts.contains(.objects)
      ? ModelComparison(store, other).only(options.entities) : nil
    let objects =
      parts.contains(.objects)
      ? try ObjectComparison(store, other, matching: matching, progress: progress) : nil
    self.objects = objects
    entityIndexes = (objects?.entities ?? []).indices.filter { index in
      options.entities.map { wanted in objects.map { wanted.contains($0.entities[index].name) } ?? false }
        ?? true
    }
    history = parts.contains(.history) ? try HistoryComparison(store, other, progress: progress) : nil
    mirror = parts.contains(.mirror) ? try MirrorComparison(store, other, progress: progress) : nil
    findings =
      parts.contains(.findings)
      ? try FindingComparison(store, other, matching: matching, limit: options.limit, progress: progress)
      : nil
  }

  package var entities: [EntityDifference] {
    entityIndexes.compactMap { index in objects?.entities[index] }
  }

  /// Whether nothing differs in what was compared.
  package var isEmpty: Bool {
    entities.allSatisfy(\.isEmpty) && model?.isEmpty ?? true && history?.isEmpty ?? true
      && mirror?.isEmpty ?? true && findings?.isEmpty ?? true
  }
}
