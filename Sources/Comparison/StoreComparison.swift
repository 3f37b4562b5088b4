import StoreModel

/// All in which two stores, or two states of one, differ.
package struct StoreComparison {
  package enum Part: String, Sendable, CaseIterable {
    case objects, model, history, mirror, findings
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

  package let matching: Matching?
  /// Whether the stores have different identifiers: copies and backups of one store share it.
  package let isOtherStore: Bool
  /// Nil for parts that weren't asked for, and for the mirror where neither store has one. Objects come with the model.
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
    let uuids = (store.store.metadata.uuid ?? "", other.store.metadata.uuid ?? "")
    isOtherStore = !uuids.0.isEmpty && !uuids.1.isEmpty && uuids.0 != uuids.1
    // The other parts are compared without objects.
    let needsMatching = parts.contains(.objects) || parts.contains(.findings)
    let matching = needsMatching ? try options.matching ?? Matching.chosen(store, other) : nil
    self.matching = matching
    model =
      parts.contains(.objects) || parts.contains(.model)
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
      ? try matching.map {
        try FindingComparison(store, other, matching: $0, limit: options.limit, progress: progress)
      } : nil
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
