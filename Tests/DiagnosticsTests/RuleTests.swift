import Base
import Diagnostics
import Forge
import TestSupport
import Testing

struct RuleTests {
  private let folder = TemporaryFolder()

  @Test(arguments: RuleExamples.all) func example(_ example: RuleExample) throws {
    let path = folder.path + "/Example.store"
    try example.make(path)
    let diagnosis = try RuleExample.examine(path)
    let finding = diagnosis.findings.first { $0.rule.id == example.rule }
    switch example.verdict {
    case .healthy:
      #expect(finding == nil)
      #expect(diagnosis.checked.contains(example.rule), "\(diagnosis.skipped)")
    case .broken(let count, let objects):
      let finding = try #require(finding, "\(diagnosis.skipped)")
      #expect(finding.count == count, "\(finding.evidence)")
      #expect(
        finding.objects.map { $0.split(separator: "/").suffix(2).joined(separator: "/") } == objects)
      #expect(!finding.message.contains("{"))
    case .skipped(let words):
      #expect(finding == nil)
      let because = diagnosis.skipped.first { $0.rule == example.rule }?.because
      #expect(because?.contains(words) ?? false, "\(because ?? "not skipped")")
    }
    let errors = Set(diagnosis.findings.filter { $0.rule.severity == .error }.map(\.rule.id))
    let expected = finding.map { [$0.rule.id] } ?? []
    #expect(errors.subtracting(expected) == example.alsoErrors)
    guard case .broken = example.verdict, !Self.uncopied.contains(example.rule) else { return }
    // The doctor says the same of a redacted copy. A damaged file may be too damaged to be copied; then nothing is left of
    // the copy.
    do { try RedactedCopy(of: path).check(diagnosis) } catch let error as StoreScopeError {
      #expect(diagnosis.findings.contains { $0.rule.id == "integrity-check-failed" }, "\(error)")
      #expect(try folder.names().allSatisfy { !$0.contains("Copy-") })
    }
  }

  /// An index with a tokenizer that only Apple's framework has can't be copied, nor what a file that was cut off has lost.
  private static let uncopied: Set = ["full-text-index-present", "file-cut-off"]

  @Test(arguments: MirrorSchema.Layout.allCases)
  func nothingIsSaidOfAHealthyStore(layout: MirrorSchema.Layout) throws {
    try ExampleStore.mirrored(folder.path + "/Healthy.store", layout: layout)
    let diagnosis = try RuleExample.examine(folder.path + "/Healthy.store")
    // True of every store with history.
    #expect(diagnosis.findings.map(\.rule.id) == ["history-key-required"])
  }

  @Test(arguments: RuleRegistry.all.map(\.id)) func hasBothKindsOfExamples(_ rule: String) {
    let examples = RuleExamples.all.filter { $0.rule == rule }
    #expect(examples.contains { if case .healthy = $0.verdict { true } else { false } })
    #expect(examples.contains { if case .broken = $0.verdict { true } else { false } })
  }

  /// People read these texts when something is wrong.
  @Test(arguments: RuleRegistry.all.map(\.id)) func headerIsWhole(_ rule: String) throws {
    let header = try #require(RuleRegistry.rule(rule)).header
    for text in [
      header.title, header.looksFor, header.why, header.nextLaunch, header.remedy, header.falsePositives,
      header.evidence, header.message,
    ] {
      #expect(!text.isEmpty, "\(header.id)")
    }
    #expect(header.id.allSatisfy { $0.isLowercase || $0 == "-" })
  }

  @Test func idsAreUnique() {
    #expect(Set(RuleRegistry.all.map(\.id)).count == RuleRegistry.all.count)
  }

  /// A deletion of long ago became an error because of any other one that is pending.
  @Test func onlyPendingMassDeletesAreErrors() throws {
    func severity(_ name: String, exportsAll: Bool, _ deletesOneMore: Bool) throws -> Severity? {
      let path = folder.path(name)
      try ExampleStore.mirrored(path) { mirror in
        let tags = try mirror.save(author: "app") { save in
          try (0..<40).map { try save.insert("Tag", ["label": .text("Tag \($0)")]) }
        }
        try mirror.export()
        try mirror.save(author: "app") { save in for tag in tags.prefix(30) { try save.delete(tag) } }
        if exportsAll { try mirror.export() }
        guard deletesOneMore else { return }
        let later = CoreDataDate(seconds: mirror.forge.clock.seconds + 86_400)
        try mirror.save(author: "app", at: later) { try $0.delete(tags[35]) }
        try mirror.export(.failure(.networkUnavailable))
      }
      let found = try RuleExample.examine(path).findings.first { $0.rule.id == "mass-delete-by-app" }
      return found?.rule.severity
    }
    #expect(try severity("exported.store", exportsAll: true, false) == .warning)
    #expect(try severity("another.store", exportsAll: true, true) == .warning)
    #expect(try severity("pending.store", exportsAll: false, false) == .error)
  }

  /// The number was that of all deletes, also of objects that the burst itself had made; and each burst was looked up in
  /// all records by itself, so that the numbers of one must not go to another.
  @Test func onlyLostObjectsAreCountedForEachBurst() throws {
    let path = folder.path("App.store")
    try ExampleStore.mirrored(path) { mirror in
      func makeTags(_ count: Int) throws -> [ForgedObject] {
        try mirror.save(author: "app") { save in
          try (0..<count).map { try save.insert("Tag", ["label": .text("Tag \($0)")]) }
        }
      }
      func lose(_ tags: [ForgedObject]) throws {
        let start = mirror.forge.clock.seconds + 86_400
        try mirror.save(author: "app", at: CoreDataDate(seconds: start)) { save in
          for tag in tags.prefix(5) { try save.delete(tag) }
          for _ in 0..<10 { try save.delete(save.insert("Tag", ["label": "Temporary"])) }
        }
        try mirror.save(author: "app", at: CoreDataDate(seconds: start + 1)) { save in
          for tag in tags.dropFirst(5) { try save.delete(tag) }
        }
      }
      let first = try makeTags(100)
      try mirror.export()
      try lose(Array(first.prefix(90)))
      try mirror.export()
      let second = try makeTags(60)
      try mirror.export()
      try lose(Array(second.prefix(45)))
      try mirror.export(.failure(.networkUnavailable))
    }
    let found = try RuleExample.examine(path).findings.first { $0.rule.id == "mass-delete-by-app" }
    let numbers = try #require(found).evidence.map { row in
      ["deletes", "pending"].map { name in
        guard case .object(let members) = row else { return DataValue.null }
        return members.first { $0.name == name }?.value ?? .null
      }
    }
    // The pending one first.
    #expect(numbers == [[.count(45), .count(45)], [.count(90), .count(0)]])
  }
}
