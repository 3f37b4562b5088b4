import Diagnostics
import Foundation
import TestSupport
import Testing

/// Rules about the file, the model, objects and values, over stores that Apple's frameworks wrote: their content is
/// whole, and what is said of their files and models is known.
@Suite(.enabled(if: RealStores.arePresent)) struct RealStoreStoreRuleTests {
  private static let ids: Set = [
    "integrity-check-failed", "file-cut-off", "wal-foreign", "metadata-unreadable", "counters-missing",
    "wal-damaged", "wal-missing", "journal-not-wal", "model-cache-missing",
    "model-cache-damaged", "model-differs-from-table", "entity-name-stale", "row-entity-unknown",
    "object-id-above-max", "relationship-dangling", "relationship-wrong-entity", "external-data-missing",
    "external-data-orphaned", "temporary-object-id", "object-uri-dangling", "object-uri-foreign",
    "object-uri-persisted",
  ]

  private static let known: [String: Set<String>] = [
    "CoreDataPlus/BookMigration_Model1.sqlite": ["journal-not-wal", "model-cache-missing"],
    "CoreDataPlus/CoreDataMigration_Example_1.sqlite": ["journal-not-wal"],
    "CoreDataPlus/CoreDataMigration_Example_3.sqlite": ["journal-not-wal"],
    "CoreDataPlus/SampleModel_V2.sqlite": ["journal-not-wal", "entity-name-stale"],
    "MagicalRecord/Recipes.sqlite": ["journal-not-wal", "model-cache-missing"],
    // A warning: Z_PLIST is NULL.
    "plaso/NotesV7.storedata": ["model-cache-missing", "metadata-unreadable"],
  ]

  @Test(arguments: RealStores.all) func onlyTrueThingsAreSaid(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    defer { _ = folder }
    let diagnosis = try RuleExample.examine(path, rules: RuleRegistry.all.filter { Self.ids.contains($0.id) })
    // Two of the header's bytes say that the store works with a -wal.
    let header = try FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: 20) ?? Data()
    let lacksWAL = header[18] == 2 && !FileManager.default.fileExists(atPath: path + "-wal")
    let expected = (Self.known[name] ?? []).union(lacksWAL ? ["wal-missing"] : [])
    #expect(Set(diagnosis.findings.map(\.rule.id)) == expected, "\(diagnosis.findings)")
    let reasons = Set(diagnosis.skipped.map(\.because))
    #expect(
      reasons.allSatisfy { $0.contains("not mirrored") || $0.contains("model can't be read") }, "\(reasons)")
  }
}
