import Base
import Forge
import Testing

@testable import Archives

struct BlobReaderTests {
  private func value(_ bytes: [UInt8]) -> DataValue? { BlobReader.summary(of: bytes, decode: true).value }

  @Test func summarises() {
    let summary = BlobReader.summary(of: Array("abc".utf8), decode: false)
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(summary == BlobSummary(bytes: 3, kind: "text", sha256: hash))
  }

  @Test func decodes() throws {
    #expect(value(Array("abc".utf8)) == "abc")
    #expect(value(Array("[1,{\"a\":null}]".utf8)) == [1, ["a": nil]])
    #expect(value([0xFF]) == nil)
    #expect(value([]) == nil)
    #expect(
      value(BinaryPropertyList.write(["a": .array([.uid(7), .unsigned(.max)])])) == [
        "a": [["CF$UID": 7], "18446744073709551615"]
      ])
    let writer = KeyedArchiveWriter()
    #expect(value(writer.bytes(root: writer.array([writer.string("x")]))) == ["x"])
    #expect(value(Array("<plist><array><integer>5</integer></array></plist>".utf8)) == [5])
    #expect(value(Array("bplist00 damaged".utf8)) == nil)
  }

  @Test(arguments: InflateTests.vectors.dropFirst())
  func unpacks(wrapper: Inflate.Wrapper, vector: String) throws {
    let hash = InflateTests.text.withUnsafeBytes { SHA256.hexadecimal(of: $0) }
    #expect(
      value(try base64(vector))
        == .blob(
          BlobSummary(
            bytes: InflateTests.text.count, kind: "text", sha256: hash,
            value: .text(String(decoding: InflateTests.text, as: UTF8.self)))))
  }

  @Test func decodesKeyedArchivesInXML() {
    let text = """
      <plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
      <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
      <key>$objects</key><array><string>$null</string><string>hello</string></array></dict></plist>
      """
    #expect(value(Array(text.utf8)) == "hello")
  }

  @Test func cutsWhatIsTooLarge() {
    let limits = DecodingLimits(values: 10, bytes: 100)
    let list = Array("[1,2,3,4,5,6,7,8,9,10,11]".utf8)
    #expect(
      BlobReader.summary(of: list, decode: true, limits: limits).value
        == ["$truncated": "the JSON holds more values than allowed"])
    let text = [UInt8](repeating: 0x61, count: 101)
    #expect(
      BlobReader.summary(of: text, decode: true, limits: limits).value == [
        "$truncated": "more than 100 bytes"
      ])
  }

  @Test func countsTheValuesOfAllDataWithinData() throws {
    let writer = KeyedArchiveWriter()
    let json = writer.data(Array("[1,2,3,4,5]".utf8))
    let bytes = writer.bytes(root: writer.array([json, json, json]))
    let tree = BlobReader.summary(of: bytes, decode: true, limits: DecodingLimits(values: 17)).value
    guard case .array(let elements) = tree, elements.count == 3, case .blob(let first) = elements[0],
      case .blob(let second) = elements[1]
    else {
      Issue.record("\(String(describing: tree))")
      return
    }
    #expect(first.value == [1, 2, 3, 4, 5])
    #expect(second.value == [1, 2, 3, 4, 5])
    #expect(elements[2] == ["$truncated": "more than 17 values"])
  }

  /// Each value that couldn't be unpacked was charged with all that it might have unpacked to, so that good ones after
  /// seventeen of them weren't shown.
  @Test func aFaultCostsWhatCameBeforeIt() throws {
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    let text = [UInt8](repeating: 0x61, count: 200_000)
    let cutOff = header + Deflate.raw(text).dropLast(20)
    let tooLarge = Array("bvx-".utf8) + [0xFF, 0xFF, 0xFF, 0x7F]
    for _ in 0..<40 {
      #expect(value(cutOff) == nil)
      #expect(value(tooLarge) == nil)
    }
    let good = LZFSE.stored(Array("abc".utf8))
    #expect(value(good) == .blob(BlobReader.summary(of: Array("abc".utf8), decode: true)))

    var produced = 0
    #expect(throws: ArchiveError.self) {
      try cutOff.withUnsafeBytes {
        try Inflate.decode($0, wrapper: .gzip, limit: 1 << 26, produced: &produced)
      }
    }
    #expect(produced > 0 && produced <= text.count)
    // A bomb costs what it was allowed.
    let bomb = Deflate.raw([UInt8](repeating: 0, count: 1_000_000))
    #expect(throws: ArchiveError.self) {
      try bomb.withUnsafeBytes { try Inflate.decode($0, wrapper: .none, limit: 300_000, produced: &produced) }
    }
    #expect(produced > 300_000 && produced < 400_000)
    let whole = LZFSE.stored(text)
    #expect(throws: ArchiveError.self) {
      try LZFSE.decode(whole.dropLast(4), limit: 1 << 26, produced: &produced)
    }
    #expect(produced == text.count)
  }

  @Test func givesValuesAlone() {
    let bytes = Array("{\"a\":1}".utf8)
    #expect(bytes.withUnsafeBytes { BlobReader.value(of: $0) } == ["a": 1])
  }
}
