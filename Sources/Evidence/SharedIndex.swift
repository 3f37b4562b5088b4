import SystemCalls

/// What the beginning of a -shm says of checkpoints, https://www.sqlite.org/walformat.html#the_wal_index_file_format
struct SharedIndex {
  /// Those of the WAL it belongs to.
  var salts: [UInt8]
  /// The last frame that any checkpoint may have copied into the main file.
  var backfillAttempted: Int

  /// nil where there is none, or where its two headers and their checksum do not agree. Opens and closes the
  /// -shm, as `StoreFiles` does the main file.
  init?(_ files: StoreFiles) throws {
    guard files.shm != nil else { return nil }
    let bytes = try OpenFile.ofStore(files.shmPath).bytes(136)
    guard bytes.count == 136, bytes[..<48] == bytes[48..<96], bytes[12] != 0 else { return nil }
    // Unlike the other files, this one is in the byte order of the machine that made it.
    func number(_ offset: Int) -> UInt32 {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
    var checksum = WALChecksum(isBigEndian: UInt32(1).littleEndian != 1)
    bytes.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<40])) }
    guard number(0) == 3_007_000, checksum.first == number(40), checksum.second == number(44) else {
      return nil
    }
    salts = Array(bytes[32..<40])
    backfillAttempted = Int(number(128))
  }
}
