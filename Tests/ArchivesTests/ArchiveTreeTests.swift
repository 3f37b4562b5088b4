import Base
import Forge
import Testing

@testable import Archives

struct ArchiveTreeTests {
  private func tree(_ writer: KeyedArchiveWriter, _ root: KeyedArchiveWriter.Reference) throws -> DataValue {
    ArchiveTree.value(of: try KeyedArchive(bytes: writer.bytes(root: root)))
  }

  @Test func showsAnyClass() throws {
    let tree = ArchiveTree.value(of: try KeyedArchive(bytes: base64(GardenArchive.vector)))
    let json = Array(#"{"a":1}"#.utf8)
    let expected: DataValue = [
      "$class": "Garden", "name": "Hain", "count": 7, "open": true, "area": .real(12.5), "nothing": nil,
      "uuid": "00010203-0405-0607-0809-0A0B0C0D0E0F", "url": "https://example.org/a/d.html",
      "date": .date(CoreDataDate(seconds: 86_400.5)), "plants": ["Linde", "Ahorn", 3, nil], "tags": ["x"],
      "ordered": ["first", "second"], "map": ["k": 1, "owner": ["$ref": 1]],
      "numbers": [["key": 5, "value": "five"]],
      "bytes": .blob(
        BlobSummary(
          bytes: 7, kind: "json", sha256: json.withUnsafeBytes { SHA256.hexadecimal(of: $0) },
          value: ["a": 1])),
      "price": "-12.50",
      "range": ["$class": "NSValue", "NS.special": 4, "NS.rangeval.location": 2, "NS.rangeval.length": 9],
      "null": nil, "known": ["one": 11, "three": 33], "inline": [1, "two"],
    ]
    #expect(tree == expected)
  }

  @Test func showsSharedObjectsEachTimeAndCyclesOnce() throws {
    let writer = KeyedArchiveWriter()
    let shared = writer.object("Leaf", fields: [("n", .integer(1))])
    let root = writer.object("Root", fields: [("a", .reference(shared)), ("b", .reference(shared))])
    writer.set("self", to: .reference(root), of: root)
    let leaf: DataValue = ["$class": "Leaf", "n": 1]
    let reference = try #require(try KeyedArchive(bytes: writer.bytes(root: root)).root).index
    #expect(
      try tree(writer, root) == ["$class": "Root", "a": leaf, "b": leaf, "self": ["$ref": .count(reference)]])
  }

  @Test func showsAllFieldsOfAnUnknownSubclass() throws {
    let writer = KeyedArchiveWriter()
    let list = writer.object(
      "TaggedArray", superclasses: ["NSArray", "NSObject"],
      fields: [("NS.objects", .references([])), ("tag", .string("red"))])
    #expect(try tree(writer, list) == ["$class": "TaggedArray", "NS.objects": [], "tag": "red"])
  }

  @Test func showsFieldsAtTheTop() throws {
    let writer = KeyedArchiveWriter()
    let list = writer.propertyList(top: [
      ("RecordType", .reference(writer.string("Note"))), ("Version", .integer(2)),
    ])
    #expect(
      ArchiveTree.value(of: try KeyedArchive(propertyList: list)) == ["RecordType": "Note", "Version": 2])
  }

  @Test func cutsDepth() throws {
    let writer = KeyedArchiveWriter()
    var list = writer.array([])
    for _ in 0..<100 { list = writer.array([list]) }
    var tree = try tree(writer, list)
    var depth = 0
    while case .array(let elements) = tree, let first = elements.first {
      tree = first
      depth += 1
    }
    #expect(tree == ["$truncated": "more than 64 levels"])
    #expect(depth == 65)
  }

  @Test func cutsTreesThatExplode() throws {
    let writer = KeyedArchiveWriter()
    var list = writer.array([writer.integer(1)])
    for _ in 0..<40 { list = writer.array([list, list]) }
    let archive = try KeyedArchive(bytes: writer.bytes(root: list))
    let tree = ArchiveTree.value(of: archive, limits: DecodingLimits(values: 1000))
    #expect(String(describing: tree).contains("more than 1000 values"))

    let text = writer.string(String(repeating: "x", count: 100))
    let texts = writer.array(Array(repeating: text, count: 20))
    let cut = ArchiveTree.value(
      of: try KeyedArchive(bytes: writer.bytes(root: texts)), limits: DecodingLimits(bytes: 250))
    guard case .array(let elements) = cut else {
      Issue.record("no list")
      return
    }
    #expect(elements.prefix(2).allSatisfy { $0 == .text(String(repeating: "x", count: 100)) })
    #expect(elements.dropFirst(2).allSatisfy { $0 == ["$truncated": "more than 250 bytes"] })
  }

  @Test func decodesArchivesWithinArchives() throws {
    var bytes: [UInt8] = Array("core".utf8)
    for _ in 0..<6 {
      let writer = KeyedArchiveWriter()
      bytes = writer.bytes(root: writer.data(bytes))
    }
    var value: DataValue? = ArchiveTree.value(of: try KeyedArchive(bytes: bytes))
    var depth = 0
    while case .blob(let summary) = value {
      #expect(summary.kind == "keyedArchive")
      value = summary.value
      depth += 1
    }
    #expect(value == nil)
    #expect(depth == 4)
  }

  /// What is read of it stays within the limit of values.
  @Test func survivesDamage() throws {
    let whole = try base64(GardenArchive.vector)
    for mutant in HostileInput.mutations(of: whole, count: 4000, seed: 3) {
      guard let archive = try? KeyedArchive(bytes: mutant) else { continue }
      let tree = ArchiveTree.value(of: archive, limits: DecodingLimits(values: 2000))
      #expect(JSONText.compact(tree).utf8.count < whole.count * 2000)
    }
  }

  @Test(arguments: [
    ([UInt8(1), 0], 1, 1, 0, false, "1"),
    ([0, 1], 1, 2, 0, false, "1"),
    ([0xE2, 0x04], 1, 1, -2, false, "12.50"),
    ([5, 0], 1, 1, -3, true, "-0.005"),
    ([5, 0], 1, 1, 3, false, "5000"),
    ([], 1, 0, 0, false, "0"),
    ([], 0, 0, 0, true, "NaN"),
    ([UInt8](repeating: 0xFF, count: 16), 8, 1, 0, false, "340282366920938463463374607431768211455"),
  ])
  func writesDecimals(
    mantissa: [UInt8], length: Int, order: Int, exponent: Int, isNegative: Bool, text: String
  ) throws {
    let words = mantissa.isEmpty ? 0 : length
    let writer = KeyedArchiveWriter()
    let number = writer.object(
      "NSDecimalNumber", superclasses: ["NSNumber", "NSValue", "NSObject"],
      fields: [
        ("NS.mantissa", .data(mantissa + [UInt8](repeating: 0, count: 16 - mantissa.count))),
        ("NS.mantissa.bo", .integer(Int64(order))), ("NS.length", .integer(Int64(words))),
        ("NS.exponent", .integer(Int64(exponent))), ("NS.negative", .bool(isNegative)),
        ("NS.compact", .bool(true)),
      ])
    #expect(try tree(writer, number) == .text(text))
  }
}
