import Forge
import Testing
import Values

@testable import Archives

struct KeyedArchiveWriterTests {
  @Test func writesGraphsWithCycles() throws {
    let writer = KeyedArchiveWriter()
    let model = writer.object("NSManagedObjectModel")
    let entity = writer.object(
      "NSEntityDescription",
      fields: [
        ("NSEntityName", .reference(writer.string("Person"))), ("NSManagedObjectModel", .reference(model)),
      ])
    writer.set(
      "NSEntities", to: .reference(writer.dictionary([(writer.string("Person"), entity)])), of: model)
    writer.set("flags", to: .integer(4), of: model)
    writer.set("nothing", to: .reference(.null), of: model)

    let archive = try KeyedArchive(bytes: writer.bytes(root: model))
    let root = try #require(archive.root)
    #expect(root.classNames == ["NSManagedObjectModel", "NSObject"])
    #expect(root["flags"]?.integer == 4)
    #expect(root["nothing"]?.isNull == true)
    let entry = try #require(root["NSEntities"]?.entries?.first)
    #expect(entry.key.string == "Person")
    #expect(entry.value.object?["NSEntityName"]?.string == "Person")
    #expect(entry.value.object?["NSManagedObjectModel"]?.object == root)
  }

  @Test func writesFoundationClasses() throws {
    let writer = KeyedArchiveWriter()
    let date = CoreDataDate(seconds: 1.5)
    let list = writer.array([
      writer.uuid(Array(0..<16)), writer.url("https://example.org"), writer.date(date), writer.data([1, 2]),
      writer.real(0.5), writer.bool(true), writer.integer(-3), writer.set([writer.string("x")]),
      writer.string(nil),
    ])
    let elements = try #require(try KeyedArchive(bytes: writer.bytes(root: list)).rootValue?.elements)
    #expect(elements[0].uuid == "00010203-0405-0607-0809-0A0B0C0D0E0F")
    #expect(elements[1].url == "https://example.org")
    #expect(elements[2].date == date)
    #expect(elements[3].data == [1, 2])
    #expect(elements[4].real == 0.5)
    #expect(elements[5].bool == true)
    #expect(elements[6].integer == -3)
    #expect(elements[7].elements?.first?.string == "x")
    #expect(elements[8].isNull)
  }

  @Test func looksLikeAnArchiversOutput() {
    let writer = KeyedArchiveWriter()
    let list = writer.propertyList(root: writer.string("text"))
    #expect(list["$version"]?.integer == 100_000)
    #expect(list["$archiver"]?.string == "NSKeyedArchiver")
    #expect(list["$top"]?["root"] == .uid(1))
    #expect(list["$objects"] == .array([.string("$null"), .string("text")]))
  }

  @Test func writesEqualStringsAndClassesOnce() {
    let writer = KeyedArchiveWriter()
    let list = writer.array([writer.string("a"), writer.string("a"), writer.integer(1), writer.integer(1)])
    _ = writer.array([])
    let objects = writer.propertyList(root: list)["$objects"]?.array
    // nil, the text, the number, two arrays and their class.
    #expect(objects?.count == 6)
  }
}
