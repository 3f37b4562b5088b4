import Base
import Lens
import SQLite
import StoreModel

extension Operation {
  static let registerMissing = Operation(
    "repair register-missing", summary: "ask the framework to register rows without records", risk: .low,
    effect:
      "The next export looks for rows of mirrored entities that have no record, gives each a record name and uploads it.",
    risks: [
      "Rows that the server has under another record name are uploaded a second time."
    ],
    watch: "Once exports succeed, 'storescope pending STORE' lists no row without a record, and falls to 0.",
    instead: "If history was missed too, use 'resync --rescan', which covers both.",
    cures: ["object-not-registered"],
    leaves: ["metadata-control-left": "the next export", "object-not-registered": "the next export"],
    assess: { assessment, target, _ in
      // Each way to register them is one to duplicate them.
      if try !Conditions.noLostRecords(target).holds {
        assessment.texts.instead = "Restore a backup of the store that has the records."
      }
    },
    requirements: { target, _ in
      let isShared = target.scope == .shared
      let number = target.mirror?.entityNumber(of: .metadataEntries)
      return [
        Conditions.identity(target), Conditions.usableToken(target), try Conditions.noLostRecords(target),
        Precondition(
          "scope-scans", holds: !isShared,
          isShared
            ? "The store mirrors the shared database, which the framework doesn't scan."
            : "The framework scans for rows without records in this scope."),
        Precondition(
          "entry-numbered", holds: number != nil,
          number == nil
            ? "Z_PRIMARYKEY has no NSCKMetadataEntry, so no entry can be added; let the app open the store once."
            : "Z_PRIMARYKEY has the number of metadata entries."),
      ]
    },
    steps: { target, _ in
      let key = SQLiteValue.text(MetadataKey.scanForMissingRows)
      let table = FrameworkTable.metadataEntries
      let number = target.mirror?.entityNumber(of: table) ?? 0
      let used = try target.connection.first(#"SELECT MAX("row") FROM temp.metadataEntries"#) {
        $0.integer(0)
      }
      let handedOut = target.store.primaryKeys.framework.first { $0.number == number }?.lastKey
      // A key that Core Data will not hand out again.
      let highest = max(used ?? 0, handedOut ?? 0)
      let next = SQLiteValue.integer(highest == .max ? highest : highest + 1)
      if try target.mirror?.entries[MetadataKey.scanForMissingRows] != nil {
        return [
          Step(
            table.rawValue, .update(["ZBOOLVALUENUM": "1"]), where: "ZKEY = ?1", [key],
            purpose: "ask for a scan")
        ]
      }
      return [
        Step(
          table.rawValue,
          .insert(
            columns: ["Z_PK", "Z_ENT", "Z_OPT", "ZKEY", "ZBOOLVALUENUM"], select: "SELECT ?3, ?2, 1, ?1, 1"),
          [key, .integer(number), next], purpose: "ask for a scan"),
        Step(
          "Z_PRIMARYKEY", .update(["Z_MAX": "?2"]), where: "Z_ENT = ?1 AND COALESCE(Z_MAX, 0) < ?2",
          [.integer(number), next], purpose: "the new entry's key is taken"),
      ]
    }
  )

  static let detachEntity = Operation(
    "repair detach-entity", summary: "drop an entity's mirror metadata", risk: .medium,
    effect:
      "The framework forgets that it ever mirrored objects of the entity. The server keeps their records, and nothing is uploaded for them as long as the entity is not in the configuration of the CloudKit store.",
    risks: [
      "If the app still mirrors the entity, its objects get new record names when they change, and other devices see them twice; a full import brings the server's copies in as second objects here."
    ],
    watch: "'storescope records STORE --entity E' shows none, before and after the next launch.",
    instead: "Use it only for an entity that the app stopped mirroring.",
    takes: ["entity", "discard-pending-deletes"],
    adapt: { texts, choices in
      guard let entity = choices.entity else { return }
      texts.watch =
        "'storescope records STORE --entity \(ShellQuotes.word(entity))' shows none, before and after the next launch."
    },
    requirements: { target, choices in
      guard choices.entity != nil else {
        return [
          Precondition("entity-named", holds: false, isOpen: true, "Choose the entity: --entity NAME.")
        ]
      }
      let numbers = try subtree(target, choices).map { String($0.number) }.joined(separator: ", ")
      let names = try subtree(target, choices).map { quotedText($0.name) }.joined(separator: ", ")
      return [
        try Conditions.noLostDeletes(
          target, choices, records: "entityNumber IN (\(numbers))",
          links: "entity IN (\(names)) OR relatedEntity IN (\(names))")
      ]
    },
    steps: { target, choices in
      let entities = try subtree(target, choices)
      let numbers = entities.map { String($0.number) }.joined(separator: ", ")
      let values = entities.map { SQLiteValue.text($0.name) }
      let names = entities.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      return Conditions.dropRecords(
        target, where: "entityNumber IN (\(numbers))", purpose: "the entity's records")
        + Conditions.dropLinks(
          target, where: "entity IN (\(names)) OR relatedEntity IN (\(names))", values,
          purpose: "its many-to-many links") + [
          Step(
            FrameworkTable.pendingRelationships.rawValue, .delete,
            where: "ZCDENTITYNAME IN (\(names)) OR ZRELATEDENTITYNAME IN (\(names))", values,
            purpose: "pending links to it")
        ]
    }
  )

  private static func subtree(_ target: Target, _ choices: Choices) throws -> [SchemaEntity] {
    guard let name = choices.entity else { return [] }
    return target.store.schema.descendants(of: try target.store.entity(named: name))
  }
}
