import Base
import Diagnostics
import Forge
import Lens
import SQLite
import TestSupport
import Testing

@Suite struct SyncSwitchesTests {
  private let day = 86_400.0

  private func date(_ seconds: Double) -> CoreDataDate { CoreDataDate(seconds: seconds) }

  @Test func aGapWithSavesIsSeen() throws {
    let fixture = try MirrorFixture()
    try fixture.setUp()
    try fixture.event(.export, at: 200)
    for seconds in [day, 2 * day] {
      try fixture.forge.save(author: "app", at: date(seconds)) { _ = try $0.insert("Person") }
    }
    try fixture.event(.setup, at: 3 * day)
    // A save with its export is no gap, nor is one before the first event.
    try fixture.forge.save(author: "app", at: date(3 * day + 10)) { _ = try $0.insert("Person") }
    try fixture.event(.export, at: 3 * day + 11)
    try fixture.forge.save(author: "app", at: date(50)) { _ = try $0.insert("Person") }
    try fixture.setToken(1)
    let switches = try SyncSwitchesReader(#require(try fixture.mirror())).read()
    let gap = try #require(switches.gaps.first)
    #expect(switches.gaps.count == 1 && gap.saves == 2)
    #expect(gap.from == date(200) && gap.until == date(3 * day))
    #expect(gap.firstSave == date(day) && gap.lastSave == date(2 * day))
    #expect(switches.firstUnexported?.transaction == 2 && switches.lastUnexported?.transaction == 4)
    #expect(switches.unexportedSaves == 3)
    #expect(switches.toggles.map(\.evidence) == [.possible, .possible, .none])
    #expect(switches.sentences.first?.contains("the app saved 2 times") == true)
  }

  @Test func aGapMayLast() throws {
    let fixture = try MirrorFixture()
    try fixture.setUp()
    try fixture.forge.save(author: "app", at: date(day)) { _ = try $0.insert("Person") }
    let switches = try SyncSwitchesReader(#require(try fixture.mirror())).read()
    // Copied right after a save, a store says nothing of what came next.
    #expect(switches.gaps.isEmpty)
    try fixture.forge.save(author: "app", at: date(day + 500)) { _ = try $0.insert("Person") }
    #expect(try SyncSwitchesReader(#require(try fixture.mirror())).read().gaps.isEmpty)
    try fixture.forge.save(author: "app", at: date(day + 700)) { _ = try $0.insert("Person") }
    let later = try SyncSwitchesReader(#require(try fixture.mirror())).read()
    #expect(later.gaps.map(\.until) == [nil] && later.gaps.map(\.saves) == [3])
    #expect(
      later.sentences.contains { $0.contains("the mirror has logged nothing, and the app saved 3 times") })
  }

  @Test func wipesAndWhatCameAfter() throws {
    let fixture = try MirrorFixture()
    try fixture.setUp()
    let people = try fixture.forge.save(author: "app", at: date(200)) { save in
      try (0..<60).map { _ in try save.insert("Person") }
    }
    for half in [people[..<30], people[30...]] {
      try fixture.forge.save(author: "NSCloudKitMirroringDelegate.reset", at: date(day)) { save in
        try half.forEach(save.delete)
      }
    }
    try fixture.forge.save(author: "NSCloudKitMirroringDelegate.import", at: date(day + 900)) { save in
      for _ in 0..<60 { _ = try save.insert("Person") }
    }
    try fixture.event(.export, at: 2 * day, error: ("NSCocoaErrorDomain", 134_405))
    try fixture.event(.setup, at: 3 * day, error: ("NSCocoaErrorDomain", 134_422))
    let switches = try SyncSwitchesReader(#require(try fixture.mirror())).read()
    #expect(switches.wipes.map(\.deletes) == [60])
    #expect(switches.wipes.map(\.transactions) == [2])
    #expect(switches.imports.map(\.inserts) == [60])
    #expect(switches.accountFailures.count == 1)
    #expect(switches.toggles.first { $0.way == .twoContainers }?.evidence == .found)
    #expect(switches.sentences.contains { $0.contains("wiped 60 objects in 2 transactions") })
    #expect(switches.sentences.contains { $0.contains("after a wipe") })
  }

  @Test func nothingIsInvented() throws {
    let fixture = try MirrorFixture()
    let switches = try SyncSwitchesReader(#require(try fixture.mirror())).read()
    #expect(switches.gaps.isEmpty && switches.wipes.isEmpty && switches.firstUnexported == nil)
    #expect(switches.sentences.contains { $0.contains("no event") })
  }
}
