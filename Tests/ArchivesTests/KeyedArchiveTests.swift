import Base
import Forge
import Testing

@testable import Archives

/// A keyed archive with one object of an app's class that holds one of each Foundation class; written by
/// Python's plistlib.
enum GardenArchive {
  static let vector = """
    YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZlctEI\
    CVRyb290gAGvEDkLDDc9PkFFRklPUFNWWltfY2RocHF0eHl6fYOENYWIkJGSl5ufpK6vsLK6vb82wMHDyc3T1NXW2+BVJG51bGzf\
    EBQNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0ViRjbGFzc1RuYW1lVWNvdW50VG9wZW5UYXJlYVdub3Ro\
    aW5nVHV1aWRTdXJsVGRhdGVWcGxhbnRzVHRhZ3NXb3JkZXJlZFNtYXBXbnVtYmVyc1VieXRlc1VwcmljZVVyYW5nZVRudWxsVWtu\
    b3duVmlubGluZYACgAMQBwkjQCkAAAAAAACAAIAFgAqADIASgBWAGYAegCGAI4AlgCmAK4A4ojU2EAFTdHdv0jg5OjtaJGNsYXNz\
    bmFtZVgkY2xhc3Nlc1ZHYXJkZW6iOjxYTlNPYmplY3RUSGFpbtI4OT9AVk5TVVVJRKI/PNJCDUNEXE5TLnV1aWRieXRlc08QEAAB\
    AgMEBQYHCAkKCwwNDg+ABF8QGWh0dHBzOi8vZXhhbXBsZS5vcmcvYS9iP2PSODlHSFVOU1VSTKJHPNNKSw1MTU5XTlMuYmFzZVtO\
    Uy5yZWxhdGl2ZYAAgAaAB1ZkLmh0bWzTSksNUVJOgAiACdI4OVRVVk5TRGF0ZaJUPNJXDVhZV05TLnRpbWUjQPUYCAAAAACAC1VM\
    aW5kZdI4OVxdXxAPTlNNdXRhYmxlU3RyaW5no1xePFhOU1N0cmluZ9JgDWFiWU5TLnN0cmluZ1VBaG9yboAOEAPSODllZl5OU011\
    dGFibGVBcnJheaNlZzxXTlNBcnJhedJpDWpvWk5TLm9iamVjdHOka2xtboANgA+AEIAAgBFReNI4OXJzVU5TU2V0onI80mkNdXeh\
    doATgBRVZmlyc3RWc2Vjb25k0jg5e3xcTlNPcmRlcmVkU2V0ons8035/DYCBgltOUy5vYmplY3QuMFtOUy5vYmplY3QuMYAWgBeA\
    GFFrVW93bmVy0jg5hodcTlNEaWN0aW9uYXJ5ooY804lpDYqNj1dOUy5rZXlzoouMgBqAG6KOCYAcgB0QBVRmaXZl04lpDZOVj6GU\
    gB+hloAg0jg5mJldTlNNdXRhYmxlRGF0YaOYmjxWTlNEYXRh0pwNnZ5XTlMuZGF0YUd7ImEiOjF9gCLSODmgoV8QD05TRGVjaW1h\
    bE51bWJlcqSgoqM8WE5TTnVtYmVyV05TVmFsdWXXpaanqKmqDas1rDUkJK1bTlMubWFudGlzc2FeTlMubWFudGlzc2EuYm9bTlMu\
    ZXhwb25lbnRZTlMubGVuZ3RoW05TLm5lZ2F0aXZlWk5TLmNvbXBhY3RPEBDiBAAAAAAAAAAAAAAAAAAAE//////////+gCQQAhAJ\
    0jg5o7GiozzUs7S1Dba3uLlaTlMuc3BlY2lhbF8QFE5TLnJhbmdldmFsLmxvY2F0aW9uXxASTlMucmFuZ2V2YWwubGVuZ3RoEASA\
    JoAngCjSODm7vFZOU051bGyiuzzRDb6AKlNvbmVVdGhyZWXSODlnwqJnPNJpDcTIo8XGx4AsgC2ALoAv0jg5ystfEBtOU0tub3du\
    S2V5c01hcHBpbmdTdHJhdGVneTGjysw8XxAaTlNLbm93bktleXNNYXBwaW5nU3RyYXRlZ3nUzs/QDdFjNdJUa2V5c1ZsZW5ndGhX\
    dmVyc2lvboAwgDFZX19lbXB0eV9fEAsQIdJpDdfIo9jZ2oA0gDOANdI4OdzdXxAWTlNLbm93bktleXNEaWN0aW9uYXJ5MaXc3t+G\
    PF8QFU5TS25vd25LZXlzRGljdGlvbmFyeV8QE05TTXV0YWJsZURpY3Rpb25hcnnV4eLQ4w3k2TXl5l1zZWFyY2hNYXBwaW5nWmVt\
    cHR5VG9rZW5WdmFsdWVzgDKANoA3AAgAEQAaACQAKQAyADcASQBMAFEAUwCPAJUAwADHAMwA0gDXANwA5ADpAO0A8gD5AP4BBgEK\
    ARIBGAEeASQBKQEvATYBOAE6ATwBPQFGAUgBSgFMAU4BUAFSAVQBVgFYAVoBXAFeAWABYgFlAWcBawFwAXsBhAGLAY4BlwGcAaEB\
    qAGrAbABvQHQAdIB7gHzAfkB/AIDAgsCFwIZAhsCHQIkAisCLQIvAjQCOwI+AkMCSwJUAlYCXAJhAnMCdwKAAoUCjwKVApcCmQKe\
    Aq0CsQK5Ar4CyQLOAtAC0gLUAtYC2ALaAt8C5QLoAu0C7wLxAvMC+QMAAwUDEgMVAxwDKAM0AzYDOAM6AzwDQgNHA1QDVwNeA2YD\
    aQNrA20DcANyA3QDdgN7A4IDhAOGA4gDigOPA50DoQOoA60DtQO9A78DxAPWA9sD5APsA/sEBwQWBCIELAQ4BEMEVgRfBGEEYwRl\
    BGoEbQR2BIEEmAStBK8EsQSzBLUEugTBBMQExwTJBM0E0wTYBNsE4ATkBOYE6ATqBOwE8QUPBRMFMAU5BT4FRQVNBU8FUQVbBV0F\
    XwVkBWgFagVsBW4FcwWMBZIFqgXABcsF2QXkBesF7QXvAAAAAAAAAgEAAAAAAAAA5wAAAAAAAAAAAAAAAAAABfE=
    """

  static func open() throws -> ArchivedObject {
    try #require(try KeyedArchive(bytes: base64(vector)).root)
  }
}

struct KeyedArchiveTests {
  @Test func findsFieldsAndClasses() throws {
    let garden = try GardenArchive.open()
    #expect(garden.className == "Garden")
    #expect(garden.classNames == ["Garden", "NSObject"])
    #expect(garden.index == 1)
    #expect(garden.keys.prefix(4) == ["name", "count", "open", "area"])
    #expect(garden.fields.count == garden.keys.count)
    #expect(garden["name"]?.string == "Hain")
    #expect(garden["count"]?.integer == 7)
    #expect(garden["open"]?.bool == true)
    #expect(garden["area"]?.real == 12.5)
    #expect(garden["nothing"]?.isNull == true)
    #expect(garden["missing"] == nil)
  }

  @Test func readsFoundationClasses() throws {
    let garden = try GardenArchive.open()
    #expect(garden["uuid"]?.uuid == "00010203-0405-0607-0809-0A0B0C0D0E0F")
    #expect(garden["url"]?.object?.url(depth: 0) == "https://example.org/a/d.html")
    #expect(garden["date"]?.date == CoreDataDate(seconds: 86_400.5))
    #expect(garden["plants"]?.elements?.map(\.string) == ["Linde", "Ahorn", nil, nil])
    #expect(garden["tags"]?.elements?.map(\.string) == ["x"])
    #expect(garden["ordered"]?.elements?.map(\.string) == ["first", "second"])
    #expect(garden["map"]?.entries?.map(\.key.string) == ["k", "owner"])
    #expect(garden["map"]?.entries?.last?.value.object == garden)
    #expect(garden["numbers"]?.entries?.map(\.key.integer) == [5])
    #expect(garden["bytes"]?.data == Array(#"{"a":1}"#.utf8))
    #expect(garden["known"]?.entries?.map(\.key.string) == ["one", "three"])
    #expect(garden["known"]?.entries?.map(\.value.integer) == [11, 33])
    #expect(garden["inline"]?.elements?.map(\.string) == [nil, "two"])
  }

  @Test func readsOtherFormsOfTheList() throws {
    let list = try BinaryPropertyList.read(base64(GardenArchive.vector))
    let archive = try KeyedArchive(propertyList: list)
    #expect(archive.root?["map"]?.entries?.last?.value.object?["name"]?.string == "Hain")
  }

  @Test func readsFieldsAtTheTop() throws {
    let archive = try KeyedArchive(propertyList: [
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
      "$objects": .array([.string("$null"), .string("Note")]),
      "$top": ["RecordType": .uid(1), "Nothing": .uid(0), "Lost": .uid(99), "Count": .integer(3)],
    ])
    #expect(archive.root == nil)
    #expect(archive.top.fields.map(\.key) == ["RecordType", "Nothing", "Lost", "Count"])
    #expect(archive.top["RecordType"]?.string == "Note")
    #expect(archive.top["Nothing"]?.isNull == true)
    #expect(archive.top["Lost"]?.isNull == true)
    #expect(archive.top["Count"]?.integer == 3)
  }

  @Test(arguments: [
    PropertyList.dictionary([:]), .array([]),
    ["$archiver": .string("x"), "$objects": .string("x"), "$top": [:]],
    ["$archiver": .string("x"), "$objects": .array([]), "$top": .uid(0)],
  ])
  func refusesOtherLists(list: PropertyList) {
    #expect(throws: ArchiveError("the property list isn't a keyed archive")) {
      try KeyedArchive(propertyList: list)
    }
  }

  @Test func refusesSharedLists() {
    // A thousand objects with one list of a thousand elements between them.
    let count = 1000
    let list = [UInt8](repeating: 0, count: 2 * count)
    #expect(throws: ArchiveError("the keyed archive expands to far more than its own size")) {
      try KeyedArchive(bytes: SharedListArchive.bytes(list: list, objects: count))
    }
  }

  @Test func survivesTruncationAndDamage() throws {
    let original = try base64(GardenArchive.vector)
    for part in HostileInput.truncations(of: original) {
      #expect(throws: ArchiveError.self) { try KeyedArchive(bytes: part) }
    }
    for mutant in HostileInput.mutations(of: original, count: 4000) {
      guard let archive = try? KeyedArchive(bytes: mutant) else { continue }
      for (_, value) in archive.root?.fields ?? [] {
        _ = value.elements?.count
        _ = value.entries?.count
        _ = (value.string, value.uuid, value.object?.url(depth: 0), value.date, value.data)
      }
    }
  }

  @Test(arguments: [
    ("https://example.org/a/b", "c", "https://example.org/a/c"),
    ("https://example.org/a/b?q#f", "?r", "https://example.org/a/b?r"),
    ("https://example.org/a/b?q#f", "#g", "https://example.org/a/b?q#g"),
    ("https://example.org/a/b", "/c", "https://example.org/c"),
    ("https://example.org", "c", "https://example.org/c"),
    ("https://example.org/a", "//other.org/c", "https://other.org/c"),
    ("https://example.org/a", "mailto:x@y", "mailto:x@y"),
    ("https://example.org/a", "", "https://example.org/a"),
    ("file:///tmp/", "x y", "file:///tmp/x y"),
    ("nonsense", "c", "c"),
  ])
  func joinsURLs(base: String, relative: String, whole: String) {
    #expect(URLText.join(base: base, relative: relative) == whole)
  }
}

/// A keyed archive whose objects all hold the same list, which no writer of ours makes.
enum SharedListArchive {
  static func bytes(list: [UInt8], objects: Int) -> [UInt8] {
    let elements = list.count / 2
    // Object numbers: 0 the top dictionary, 1 $archiver, 2 $objects, 3 $top, 4 "x", 5 {}, 6 the list of
    // objects, 7 the key "l", 8 the shared list, then the objects.
    var parts: [[UInt8]] = [
      [0xD3, 0, 1, 0, 2, 0, 3, 0, 4, 0, 6, 0, 5],
      [0x59] + Array("$archiver".utf8), [0x58] + Array("$objects".utf8), [0x54] + Array("$top".utf8),
      [0x51, 0x78], [0xD0],
    ]
    let numbers = (9..<9 + objects).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    parts.append([0xAF, 0x11, UInt8(objects >> 8), UInt8(objects & 255)] + numbers)
    parts.append([0x51, 0x6C])
    parts.append([0xAF, 0x11, UInt8(elements >> 8), UInt8(elements & 255)] + list)
    parts += Array(repeating: [0xD1, 0, 7, 0, 8], count: objects)
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for part in parts {
      offsets += [0, UInt8(bytes.count >> 16), UInt8(bytes.count >> 8 & 255), UInt8(bytes.count & 255)]
      bytes += part
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 2, 0, 0, 0, 0, 0, 0]
    bytes += [UInt8(parts.count >> 8), UInt8(parts.count & 255), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    return bytes + [UInt8(table >> 16), UInt8(table >> 8 & 255), UInt8(table & 255)]
  }
}

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
    #expect(elements[1].object?.url(depth: 0) == "https://example.org")
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

extension ArchivedValue {
  fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}
