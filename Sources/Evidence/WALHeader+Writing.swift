extension WALHeader {
  /// A whole -wal with one frame, which repeats the main file's first page and so changes nothing. SQLite writes random
  /// salts; these are zeros, so that the same store always has the same -wal.
  package static func wal(repeating firstPage: [UInt8], pageCount: UInt32) -> [UInt8] {
    func bytes(_ numbers: UInt32...) -> [UInt8] {
      numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    }
    var checksum = WALChecksum(isBigEndian: true)
    func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { checksum.add($0) } }
    let (bigEndian, version, salts) = (UInt32(0x377f_0683), UInt32(3_007_000), bytes(0, 0))
    var wal = bytes(bigEndian, version, UInt32(firstPage.count), 0) + salts
    add(wal)
    wal += bytes(checksum.first, checksum.second)
    let frame = bytes(1, pageCount)
    add(frame)
    add(firstPage)
    return wal + frame + salts + bytes(checksum.first, checksum.second) + firstPage
  }
}
