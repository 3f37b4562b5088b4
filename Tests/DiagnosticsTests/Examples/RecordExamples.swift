import Forge
import SQLite

extension RuleExamples {
  static let records: [RuleExample] = [
    RuleExample("record-orphaned", "all objects exist", .healthy) { try ExampleStore.mirrored($0) },
    RuleExample(
      "record-orphaned", "a row deleted by raw SQL", .broken(count: 1, objects: ["Person/p2"])
    ) { path in
      try ExampleStore.mirrored(path) { mirror in
        try mirror.forge.connection.execute("DELETE FROM ZPERSON WHERE Z_PK = 2")
      }
    },
  ]
}
