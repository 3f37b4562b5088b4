import CloudKitMirror
import Values

extension MirrorFacts {
  var pendingValue: DataValue {
    [
      "counts": counts.value, "problem": .optional(uncounted),
      "byEntityAndAge": .array(
        ages.byEntity.map { row in
          [
            "entity": .text(row.entity),
            "ages": .object(
              zip(PendingAges.names, row.counts).filter { $1 > 0 }.map { .init($0, .count($1)) }),
          ]
        }),
      "listed": .count(pending.count), "items": .array(pending.map(\.value)),
    ]
  }

  var recordsValue: DataValue {
    [
      "count": .count(records),
      "byEntityAndState": .array(
        states.map { row in
          [
            "entity": .text(row.entity),
            "states": .object(
              RecordState.allCases.compactMap { state in
                row.counts[state].map { .init(state.rawValue, .count($0)) }
              }),
          ]
        }),
    ]
  }

  var zonesValue: DataValue {
    .array(
      zones.map { zone in
        [
          "name": .optional(zone.name), "owner": .optional(zone.owner), "scope": .optional(zone.scope?.name),
          "records": .count(zone.records), "hasToken": .bool(zone.changeToken.isPresent),
          "lastFetch": .optional(zone.lastFetch), "shareBytes": .optional(zone.shareBytes),
          "flags": .array(zone.flagNames.map(DataValue.text)),
        ]
      })
  }

  var databasesValue: DataValue {
    .array(
      databases.map { database in
        [
          "name": .optional(database.name), "scope": .optional(database.scope?.name),
          "hasSubscription": .bool(database.hasSubscription),
          "hasToken": .bool(database.changeToken.isPresent),
          "lastFetch": .optional(database.lastFetch),
        ]
      })
  }

  var eventsValue: DataValue {
    [
      "count": .count(events), "failures": .array(failures.map(\.value)),
      "listed": .count(newestEvents.count),
      "newest": .array(
        newestEvents.map { event in
          [
            "type": .text(event.typeName), "started": .optional(event.started),
            "ended": .optional(event.ended),
            "succeeded": .bool(event.succeeded), "errorDomain": .optional(event.errorDomain),
            "errorCode": .optional(event.errorCode), "errorName": .optional(event.errorName),
            "affected": .optional(event.affected), "finished": .optional(event.finished),
            "isNoise": .bool(event.isNoise),
          ]
        }),
    ]
  }

  var mirrorValue: DataValue {
    [
      "present": true, "layout": .text(layout), "scope": .optional(scope),
      "token": ["state": .text(token), "transaction": .optional(tokenTransaction)],
      "problems": .array(problems.map(DataValue.text)),
    ]
  }
}

extension MirrorZone {
  /// Those that are set and say how the zone stands; what it supports does not.
  var flagNames: [String] {
    Flags.names.enumerated().filter { bit, name in
      !name.hasPrefix("supports") && flags.contains(Flags(rawValue: 1 << UInt16(bit)))
    }.map(\.element)
  }
}
