import Base
import Foundation
import SQLite
import TestSupport
import Testing

@testable import StoreModel

/// Values as attributes of every type give them, odd ones too.
@Suite("Decoding cells")
struct CellDecoderTests {
  private func decode(
    _ sql: String, as type: AttributeType, path: String = "value", external: Bool = false,
    future: Bool = false,
    store: String = "/nowhere/App.store"
  ) throws -> DataValue {
    let connection = try Connection(path: ":memory:", options: .readWrite(create: true))
    let attribute = SchemaAttribute(
      description: AttributeDescription(
        name: "value", type: type, allowsExternalStorage: external, isFileBackedFuture: future),
      path: path, column: "ZVALUE")
    let decoder = CellDecoder(attribute, files: ExternalFiles(storePath: store))
    return try #require(try connection.first("SELECT \(sql)") { decoder.value($0.cell(0)) })
  }

  @Test("NULL is null whatever the type", arguments: AttributeType.allCases)
  func null(_ type: AttributeType) throws {
    #expect(try decode("NULL", as: type) == .null)
  }

  @Test("No storage class breaks any type", arguments: AttributeType.allCases)
  func everyClass(_ type: AttributeType) throws {
    for sql in [
      "0", "-9223372036854775808", "1e308", "9e999", "'text'", "''", "x''", "x'00ff'", "x'02'", "x'03232323'",
    ] {
      for external in [false, true] {
        #expect(
          try decode(sql, as: type, external: external, future: external) != .null || type == .composite)
      }
    }
  }

  @Test("Only the model tells a Boolean; another number stays one")
  func boolean() throws {
    #expect(try decode("1", as: .boolean) == .bool(true))
    #expect(try decode("0", as: .boolean) == .bool(false))
    #expect(try decode("2", as: .boolean) == .integer(2))
    #expect(try decode("1", as: .integer16) == .integer(1))
    #expect(try decode("'yes'", as: .boolean) == .text("yes"))
  }

  @Test("Dates are reals, or integers for whole seconds")
  func date() throws {
    #expect(try decode("0", as: .date) == .date(CoreDataDate(seconds: 0)))
    #expect(try decode("730900800.25", as: .date) == .date(CoreDataDate(seconds: 730_900_800.25)))
    #expect(try decode("'2024'", as: .date) == .text("2024"))
  }

  @Test("Sixteen bytes are a UUID, others stay bytes")
  func uuid() throws {
    #expect(
      try decode("x'6b29fc40ca471067b31d00dd010662da'", as: .uuid)
        == .text("6B29FC40-CA47-1067-B31D-00DD010662DA"))
    guard case .blob(let blob) = try decode("x'6b29'", as: .uuid) else {
      Issue.record("two bytes are no UUID")
      return
    }
    #expect(blob.bytes == 2)
  }

  @Test("A composite's Binary element that is JSON is shown as its value; elsewhere it stays binary")
  func json() throws {
    #expect(try decode("CAST('[\"Juniper\"]' AS BLOB)", as: .binary, path: "plant.kinds") == ["Juniper"])
    guard case .blob = try decode("x'ff00'", as: .binary, path: "plant.kinds") else {
      Issue.record("what is no JSON stays bytes")
      return
    }
    guard case .blob = try decode("CAST('[1]' AS BLOB)", as: .binary) else {
      Issue.record("a plain Binary attribute is bytes")
      return
    }
  }

  @Test("The tag of a value that may lie outside is taken off; without the flag it belongs to the value")
  func inline() throws {
    guard case .blob(let tagged) = try decode("x'01aabbcc'", as: .binary, external: true),
      case .blob(let plain) = try decode("x'01aabbcc'", as: .binary),
      case .blob(let empty) = try decode("x'01'", as: .transformable, external: true)
    else {
      Issue.record("not binary")
      return
    }
    #expect(tagged.bytes == 3)
    #expect(plain.bytes == 4)
    #expect(empty.bytes == 0)
  }

  @Test("An external value is its file's content; a missing or foreign file is told", arguments: ["00", ""])
  func file(_ terminator: String) throws {
    let folder = TemporaryFolder()
    let name = "6B29FC40-CA47-1067-B31D-00DD010662DA"
    let sql = "x'02\(Hexadecimal.lowercase(name.utf8))\(terminator)'"
    let store = folder.path("App.v2.store")
    let missing = try decode(sql, as: .binary, external: true, store: store)
    #expect(missing["externalFile"] == .text(name))
    // Where the store itself is says nothing: it may be a copy, gone afterward.
    #expect(missing["problem"] == .text("there is no file '.App.v2_SUPPORT/_EXTERNAL_DATA/\(name)'"))

    let files = folder.path(".App.v2_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    try Data([1, 2, 3, 4, 5]).write(to: URL(filePath: files + "/" + name))
    guard case .blob(let blob) = try decode(sql, as: .binary, external: true, store: store) else {
      Issue.record("not binary")
      return
    }
    #expect(blob.bytes == 5)
  }

  @Test("A file name can't lead out of the folder")
  func traversal() throws {
    let name = Array("../../../../../../../etc/passwd\0\0\0\0\0".utf8)
    #expect(name.count == 36)
    let value = try decode("x'02\(Hexadecimal.lowercase(name))00'", as: .binary, external: true)
    #expect(value["problem"] != nil)
  }

  @Test("A file-backed future's file lies in a folder of its own")
  func fileBackedFuture() throws {
    let folder = TemporaryFolder()
    let files = folder.path(".App_SUPPORT/_FBF")
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    try Data([7, 7]).write(to: URL(filePath: files + "/clip"))
    let bytes: [UInt8] = [3, 0x23, 0x23, 0x23, 2, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 9, count: 16)
    let sql = "x'\(Hexadecimal.lowercase(bytes + Array("clip".utf8)))'"
    guard case .blob(let blob) = try decode(sql, as: .binary, future: true, store: folder.path("App.store"))
    else {
      Issue.record("not binary")
      return
    }
    #expect(blob.bytes == 2)
  }

  @Test("A composite is an object of its leaves, null where all are, an enumeration its raw value")
  func composite() throws {
    let schema = SchemaPrediction(
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "E",
          attributes: [
            AttributeDescription(
              name: "at", type: .composite,
              elements: [
                .string("city"),
                AttributeDescription(name: "geo", type: .composite, elements: [.string("lat")]),
              ]),
            AttributeDescription(name: "kind", type: .composite, elements: [.string("kind")]),
          ])
      ])
    ).schema
    let attributes = try #require(schema["E"]).attributes
    #expect(
      CompositeValue.assemble(attributes[0], ["at.city": "Bern", "at.geo.lat": 46])
        == ["city": "Bern", "geo": ["lat": 46]])
    #expect(CompositeValue.assemble(attributes[0], ["at.city": "Bern"]) == ["city": "Bern", "geo": nil])
    #expect(CompositeValue.assemble(attributes[0], [:]) == .null)
    #expect(CompositeValue.assemble(attributes[1], ["kind.kind": "rare"]) == "rare")
  }
}

/// Values are looked at 64 places at a time for what begins a URI, and what begins one is found at every place.
struct URIScannerTests {
  static let fillers: [[UInt8]] = [
    [0], Array("x".utf8), Array("fox: x-".utf8), Array(":".utf8), Array("x-coredata".utf8),
  ]
  static let schemes: [[UInt8]] = [
    Array("x-coredata:".utf8), "x-coredata:".utf8.flatMap { [$0, 0] },
    "x-coredata:".utf8.flatMap { [0, $0] },
  ]

  @Test(arguments: fillers, schemes) func isFoundAtEveryPlace(_ filler: [UInt8], _ scheme: [UInt8]) {
    for count in [0, 1, 10, 21, 63, 64, 83, 84, 85, 128, 150, 212, 300] {
      let around = (0..<count).map { filler[$0 % filler.count] }
      #expect(!around.withUnsafeBytes(URIScanner.mayFind), "\(count)")
      for place in 0...count {
        let bytes = around[..<place] + scheme + around[place...]
        #expect(Array(bytes).withUnsafeBytes(URIScanner.mayFind), "\(place) of \(count)")
        // One letter less is none.
        var broken = Array(bytes)
        broken[place + scheme.count / 2] = UInt8(ascii: "?")
        broken[place + scheme.count / 2 + 1] = UInt8(ascii: "?")
        #expect(!broken.withUnsafeBytes(URIScanner.mayFind), "\(place) of \(count)")
      }
    }
  }
}
