import Base
import Evidence
import Forge
import Foundation
import Lens
import TestSupport
import Testing

@testable import Diagnostics

/// Launches after somebody edited the mirror or purged history, and what is said of them.
@Suite struct LostRecordsTests {
  private let folder = TemporaryFolder("lost")

  /// It was called safe, or to fail until there is storage again, though each object would be uploaded under a new name.
  @Test(arguments: [true, false], [true, false])
  func deletedRecordsDuplicateObjects(_ isFailing: Bool, _ isPurged: Bool) throws {
    let forecast = try LaunchForecast.ofExample(in: folder) { mirror in
      if isFailing {
        _ = try mirror.save(author: "app") { try $0.insert("Tag") }
        try mirror.export(.failure(.quotaExceeded))
      }
      try mirror.run("DELETE FROM ANSCKRECORDMETADATA")
      if isFailing { _ = try mirror.save(author: "app") { try $0.insert("Tag") } }
      if isPurged, !isFailing { try mirror.run("DELETE FROM ACHANGE") }
    }
    #expect(forecast.verdict == (isFailing ? .fails : .unknown), "\(forecast.steps)")
    let decisive = try #require(forecast.decisive)
    #expect(decisive.alarm?.contains("appear twice on all devices") == true, "\(decisive)")
    #expect(decisive.fix == LostRecords.fix)
    let export = try forecast.step(.export)
    #expect(export.because.contains("Regular exports leave out"), "\(export)")
    if isFailing { #expect(export.fix?.contains("That doesn't upload the ") == true, "\(export)") }
  }

  /// The doctor called them errors, and the forecast was "Safe".
  @Test(
    arguments: [
      ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME IN ('CHANGE', 'TRANSACTION')", .fails),
      ("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Tag'", .fails),
      ("DROP TABLE ACHANGE", .unknown), ("DROP TABLE ATRANSACTION", .unknown),
      ("DROP TABLE ATRANSACTIONSTRING", .unknown), ("ALTER TABLE ACHANGE DROP COLUMN ZCOLUMNS", .unknown),
      ("ALTER TABLE ANSCKRECORDMETADATA DROP COLUMN ZNEEDSUPLOAD", .unknown),
    ] as [(String, LaunchForecast.Verdict)])
  func whatTheFirstSaveFailsAtIsNotSafe(_ sql: String, _ verdict: LaunchForecast.Verdict) throws {
    let forecast = try LaunchForecast.ofExample(in: folder) { try $0.run(sql) }
    #expect(forecast.verdict == verdict, "\(forecast.steps)")
    #expect(forecast.steps.map(\.stage) == LaunchForecast.Stage.allCases)
    let opening = try forecast.step(.open)
    #expect(opening.outcome != .succeeds && opening.fix != nil, "\(opening)")
  }

  /// Rows that were written with SQL never had a record.
  @Test func unregisteredRowsAreNoLoss() throws {
    let forecast = try LaunchForecast.ofExample(in: folder) { mirror in
      try mirror.run("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) SELECT 90, Z_ENT, 1 FROM ZTAG LIMIT 1")
      try mirror.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 90 WHERE Z_NAME = 'Tag'")
    }
    #expect(forecast.verdict == .safe)
    #expect(
      try forecast.step(.export).because
        == "Nothing is pending. Regular exports leave out 1 row without a record.")
  }

  /// One among others that have theirs: the reading of history ended early, or didn't begin.
  @Test(arguments: ["MIN", "MAX"]) func oneDeletedRecordIsALoss(_ which: String) throws {
    let forecast = try LaunchForecast.ofExample(in: folder) { mirror in
      let tags = try mirror.save(author: "app") { save in try (1...3).map { _ in try save.insert("Tag") } }
      try mirror.export()
      try mirror.run(
        """
        DELETE FROM ANSCKRECORDMETADATA WHERE Z_PK =
          (SELECT \(which)(Z_PK) FROM ANSCKRECORDMETADATA WHERE ZENTITYID = \(tags[0].entityNumber))
        """)
    }
    let decisive = try #require(forecast.decisive)
    #expect(
      decisive.alarm == "The next launch may make 1 object appear twice on all devices.", "\(decisive)")
  }

  /// What was changed after the export isn't a row that waits unregistered, and its lost record went unnoticed.
  @Test func aChangedObjectsRecordIsMissed() throws {
    let forecast = try LaunchForecast.ofExample(in: folder) { mirror in
      let ann = try mirror.object("Person")
      _ = try mirror.save(author: "app") { try $0.update(ann, ["name": "Anna"]) }
      try mirror.run(
        "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYID = \(ann.entityNumber) AND ZENTITYPK = \(ann.primaryKey)"
      )
    }
    #expect(forecast.decisive?.alarm?.contains("1 object appear twice") == true, "\(forecast.steps)")
  }

  /// The changes of an object without a record were counted as lost, though the wipe leaves it alone.
  @Test func aWipeLeavesObjectsWithoutARecord() throws {
    let forecast = try LaunchForecast.ofExample(in: folder) { mirror in
      let ann = try mirror.object("Person")
      _ = try mirror.save(author: "app") { save in
        _ = try save.insert("Tag")
        try save.update(ann, ["name": "Anna"])
      }
      let newest = "(SELECT MAX(Z_PK) FROM ATRANSACTION)"
      try mirror.run(
        "DELETE FROM ACHANGE WHERE ZTRANSACTIONID < \(newest)",
        "DELETE FROM ATRANSACTION WHERE Z_PK < \(newest)")
    }
    #expect(try forecast.step(.checkToken).because.hasSuffix("It deletes 5 objects here."))
    let export = try forecast.step(.export)
    #expect(
      export.because
        == "1 object without a record survives and is uploaded later. 1 pending change is lost.", "\(export)")
  }

  /// "No token yet" was said of a store that had been mirrored for long.
  @Test func deletedEntriesWereThere() throws {
    let forecast = try LaunchForecast.ofExample(in: folder) { try $0.run("DELETE FROM ANSCKMETADATAENTRY") }
    for stage in [LaunchForecast.Stage.checkAccount, .checkToken] {
      let step = try forecast.step(stage)
      #expect(!step.because.contains(" yet,") && !step.because.contains(" yet:"), "\(step)")
    }
    #expect(try forecast.step(.checkToken).because.contains("although there were exports"))
  }

  /// All of it was said to exist on this device only.
  @Test func whatWasExportedMayBeOnTheServer() throws {
    let path = folder.path("App.store")
    try ExampleStore.mirrored(path) { try $0.run("DELETE FROM ANSCKRECORDMETADATA") }
    let open = try OpenStore(at: path)
    _ = try open.lens()
    let summary = try MirrorSummary(#require(try open.mirror()))
    #expect(summary.repeatsUploads)
    #expect(summary.verdict.remarks.contains { $0.contains("had records that are gone") })
    try open.bytes().finish()
  }

  /// That a deletion can be stopped was followed by what lets it through.
  @Test(arguments: [true, false]) func aPendingDeletionIsCarriedOutByExports(_ isBlocked: Bool) throws {
    let path = folder.path("App.store")
    var key: ObjectKey?
    try ExampleStore.mirrored(path) { mirror in
      let note = try mirror.object("Note")
      key = ObjectKey(entity: note.entityNumber, primaryKey: note.primaryKey)
      _ = try mirror.save(author: "app") { try $0.delete(note) }
      if isBlocked { try mirror.export(.failure(.quotaExceeded)) }
    }
    let open = try OpenStore(at: path)
    let verdict = try TraceReader(open).trace(of: #require(key)).verdict
    try open.bytes().finish()
    let text = verdict.reasons.joined(separator: " ")
    #expect(verdict.reasons[0].hasPrefix("Deleted by app at "), "\(text)")
    // Nobody asked about 'resync', and who has no backup was told to restore one.
    #expect(text.contains("deletes it on the server.") && !text.contains("resync"), "\(text)")
    #expect(
      verdict.fix?.hasPrefix("To keep it: leave the app closed here and restore a copy of the store") == true,
      "\(verdict)")
    let last = isBlocked ? verdict.fix : verdict.reasons.last
    let letGo = isBlocked ? "To let it go: free iCloud storage" : "If it was meant, there is nothing to do"
    #expect(last?.contains(letGo) == true, "\(verdict)")
    let backup = path + ".20261121T064512Z.resync-pull.backup"
    try FileManager.default.createDirectory(atPath: backup, withIntermediateDirectories: false)
    try Data().write(to: URL(filePath: backup + "/" + BackupFolder.manifest))
    let again = try OpenStore(at: path)
    let withBackup = try TraceReader(again).trace(of: #require(key)).verdict
    try again.bytes().finish()
    #expect(withBackup.fix?.contains("App.store' lists them)") == true, "\(withBackup)")
  }

  /// 'summary' and 'doctor' said it.
  @Test func aMissingWALIsReported() throws {
    let path = folder.path("App.store")
    let forge = try StoreForge(path: path, model: ExampleStore.model)
    try forge.save(author: "app") { _ = try $0.insert("Tag") }
    try forge.close(leaving: .nothing)
    let open = try OpenStore(at: path)
    let opening = try LaunchForecast(open, nil).step(.open)
    try open.bytes().finish()
    #expect(opening.because.contains(StoreFiles.walMissing), "\(opening)")
  }

  /// An error that only repeated itself.
  @Test func aFailureSaysWhatItMeans() throws {
    let forecast = try LaunchForecast.ofExample(in: folder) { try $0.setUp(failing: .incompatibleModel) }
    let setUp = try forecast.step(.setUpMirror)
    #expect(setUp.outcome == .fails && !setUp.because.contains("setups fail with"), "\(setUp)")
    #expect(setUp.because.contains("isn't compatible with CloudKit"), "\(setUp)")
    #expect(setUp.fix?.contains("`") == false, "\(setUp)")
  }

  @Test(
    arguments: [
      ("App 2", "App", true), ("App", "App 2", false), ("App_v3", "App_v2", true), ("App 10", "App 9", true),
      ("SampleModel2", "SampleModel", true), ("Other 3", "App", false), ("Mov2", "Mo", false),
    ])
  func versionNamesAreCompared(_ one: String, _ other: String, _ isNewer: Bool) {
    #expect(VersionName(one).isNewer(than: VersionName(other)) == isNewer)
  }
}
