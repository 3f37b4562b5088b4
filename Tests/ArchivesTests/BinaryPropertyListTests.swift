import Base
import Testing

@testable import Archives

struct BinaryPropertyListTests {
  // Written by Python's plistlib: every type of value it knows, references of all widths.
  static let vector = """
    YnBsaXN0MDDZAQIDBAUGBwgJCgsMFBkmJyguVGRhdGFUZGF0ZVRkZWVwVWVtcHR5VGxpc3RUbG9uZ1R0ZXh0U3VpZFd1bmljb2Rl\
    TxAUAAECAwQFBgcICQoLDA0ODxAREhMzQcXIVKAAAAChDaEOoQ+hENERElFhoRMQAaQVFhcY0KBQQK0TGhscHR4fICEiIyQlEAIR\
    ASwSAAERcBMAAAABKgXyABP//////////xQAAAAAAAAAAIAAAAAAAAAAFAAAAAAAAAAA//////////8TgAAAAAAAAAAjP+AAAAAA\
    AAAj/jfkPIgAdZwJCF8RASx4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4\
    eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4\
    eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4\
    eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4\
    eHh4eHh4eHh4eHh4eHh4eHhVcGxhaW6lKSorLC2AAID/gQEAgwABEXCHAAAAASoF8gBnAGcAcgD8AG4AINg83zIACAAbACAAJQAq\
    ADAANQA6AD8AQwBLAGIAawBtAG8AcQBzAHYAeAB6AHwAgQCCAIMAhACFAJMAlQCYAJ0ApgCvAMAA0QDaAOMA7ADtAO4CHgIkAioC\
    LAIuAjECNgI/AAAAAAAAAgEAAAAAAAAALwAAAAAAAAAAAAAAAAAAAk4=
    """

  static let expected: PropertyList = .dictionary([
    "data": .data(Array(0..<20)),
    "date": .date(CoreDataDate(unixSeconds: 1_709_208_000)),
    "deep": .array([.array([.array([.array([.dictionary(["a": .array([.integer(1)])])])])])]),
    "empty": .array([.dictionary([:]), .array([]), .string(""), .data([])]),
    "list": .array([
      .integer(1), .integer(2), .integer(300), .integer(70_000), .integer(5_000_000_000), .integer(-1),
      .unsigned(1 << 63), .unsigned(.max), .integer(.min), .real(0.5), .real(-1e300), .bool(true),
      .bool(false),
    ]),
    "long": .string(String(repeating: "x", count: 300)),
    "text": .string("plain"),
    "uid": .array([.uid(0), .uid(255), .uid(256), .uid(70_000), .uid(5_000_000_000)]),
    "unicode": .string("grün 🌲"),
  ])

  @Test func readsAllTypes() throws {
    #expect(try BinaryPropertyList.read(base64(Self.vector)) == Self.expected)
  }

  @Test func readsWhatItWrites() throws {
    #expect(try BinaryPropertyList.read(BinaryPropertyList.write(Self.expected)) == Self.expected)
    let others = PropertyList.array([.null, .set([.integer(1), .string("a")]), .dictionary(["a": .null])])
    #expect(try BinaryPropertyList.read(BinaryPropertyList.write(others)) == others)
  }

  @Test(arguments: [1, 14, 15, 254, 255, 256, 65_600])
  func writesReferencesOfEveryWidth(count: Int) throws {
    let list = PropertyList.array((0..<count).map { .integer(Int64($0)) })
    #expect(try BinaryPropertyList.read(BinaryPropertyList.write(list)) == list)
  }

  @Test func survivesTruncationAndDamage() throws {
    for original in [try base64(Self.vector), BinaryPropertyList.write(Self.expected)] {
      for part in HostileInput.truncations(of: original) {
        #expect(throws: ArchiveError.self) { try BinaryPropertyList.read(part) }
      }
      for mutant in HostileInput.mutations(of: original, count: 5000) {
        _ = try? BinaryPropertyList.read(mutant)
      }
      // The trailer decides most, so it gets damage of its own.
      for tail in HostileInput.mutations(of: original.suffix(120), count: 5000, seed: 2) {
        _ = try? BinaryPropertyList.read(original.dropLast(120) + tail)
      }
    }
  }

  /// A file of these objects, each at most 255 bytes into it.
  static func file(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
    return bytes + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table]
  }

  static let refused: [([[UInt8]], String)] = [
    ([[0xA1, 0x00]], "object 0 of the binary property list contains itself"),
    ([[0xA1, 0x01], [0xA1, 0x00]], "object 0 of the binary property list contains itself"),
    ([[0xA1, 0x05]], "object 0 of the binary property list holds a reference to object 5"),
    (
      [[0xD1, 0x01, 0x01], [0x10, 0x05]], "object 0 of the binary property list has a key that isn't a string"
    ),
    ([[0x45, 0x00]], "object 0 of the binary property list holds more data than the file has"),
    (
      [[0x4F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
      "object 0 of the binary property list holds more data than the file has"
    ),
    (
      [[0x6F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
      "object 0 of the binary property list holds more data than the file has"
    ),
    ([[0x4F, 0x23]], "object 0 of the binary property list holds a length that isn't an integer"),
    ([[0x70]], "object 0 of the binary property list holds an unknown marker 112"),
    ([[0x15]], "object 0 of the binary property list holds an integer of 32 bytes"),
    ([[0x21, 0, 0]], "object 0 of the binary property list holds a real number of 2 bytes"),
  ]

  @Test(arguments: refused)
  func refuses(objects: [[UInt8]], reason: String) {
    #expect(throws: ArchiveError(reason)) { try BinaryPropertyList.read(Self.file(objects)) }
  }

  @Test func refusesListsThatExplode() {
    // Forty levels that each hold the next one twice: a tree of 2^40 leaves in some 200 bytes.
    let laughs = (1...40).map { [0xA2, UInt8($0), UInt8($0)] } + [[0x09]]
    #expect(throws: ArchiveError("the binary property list expands to far more than its own size")) {
      try BinaryPropertyList.read(Self.file(laughs))
    }
  }

  @Test func refusesDepth() {
    var list = PropertyList.integer(1)
    for _ in 0..<129 { list = .array([list]) }
    let bytes = BinaryPropertyList.write(list)
    #expect(throws: ArchiveError("the binary property list nests deeper than 128 levels")) {
      try BinaryPropertyList.read(bytes)
    }
  }

  @Test func refusesDepthThatIsBuiltFromTheLeavesUp() {
    // The top holds all arrays, leaf first, and each array holds the one before: none is deep when first met.
    let count = 200
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = [8]
    bytes += [0xAF, 0x10, UInt8(count)] + (1...count).map { UInt8($0) }
    for number in 1...count {
      offsets.append(bytes.count)
      bytes += number == 1 ? [0xA0] : [0xA1, UInt8(number - 1)]
    }
    let table = bytes.count
    for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 255)] }
    bytes += [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(count + 1)] + [0, 0, 0, 0, 0, 0, 0, 0]
    bytes += [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 255)]
    #expect(throws: ArchiveError("the binary property list nests deeper than 128 levels")) {
      try BinaryPropertyList.read(bytes)
    }
  }

  @Test func refusesOverlap() {
    // Ten objects that are one and the same stretch of bytes.
    var bytes = Array("bplist00".utf8) + [0x5F, 0x10, 30] + [UInt8](repeating: 0x61, count: 30)
    let table = UInt8(bytes.count)
    bytes += [UInt8](repeating: 8, count: 10) + [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 10]
    bytes += [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, table]
    #expect(throws: ArchiveError("the binary property list's objects overlap")) {
      try BinaryPropertyList.read(bytes)
    }
  }
}
