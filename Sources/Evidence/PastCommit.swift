import Base

/// A state of the store before the newest one: what it was when the WAL ended with an earlier commit.
package struct PastCommit: Sendable, Equatable {
  /// How many commits before the newest one.
  package var commitsAgo: Int
  /// How many commits the WAL holds.
  package var commitCount: Int
  /// Where the WAL ends then, in bytes; 0 where the main file alone holds that state.
  package var walLimit: Int64

  /// Throws a sentence where the WAL does not go back that far, or where a checkpoint has already overwritten
  /// that state in the main file. Opens and closes the main file, as `StoreFiles` does.
  init(_ files: StoreFiles, commitsAgo: Int) throws {
    func refusal(_ kind: StoreScopeError.Kind, _ why: String, _ advice: String) -> StoreScopeError {
      let tried = "can't show \(files.path) as of \(Sentence.count(commitsAgo, "commit")) ago"
      return StoreScopeError(kind, "\(tried): \(why)", about: files.path, advice: advice)
    }
    guard commitsAgo >= 0 else {
      throw refusal(.invalid, "the number counts back from the newest commit", "give 0 or more")
    }
    guard let wal = files.wal, wal.size > 0 else {
      throw refusal(
        .lacking, "the store has no -wal, so only its newest state exists", "omit --as-of-commit")
    }
    let index = try WALIndex(path: files.walPath, size: wal.size)
    commitCount = index.commits.count
    self.commitsAgo = commitsAgo
    guard commitsAgo <= commitCount, commitCount > 0 else {
      let what = commitCount == 0 ? "no commits" : Sentence.count(commitCount, "commit")
      throw refusal(.lacking, "its -wal holds \(what)", "give a number from 0 to \(commitCount)")
    }
    let kept = commitsAgo == commitCount ? nil : index.commits[commitCount - 1 - commitsAgo]
    walLimit = kept?.endOffset ?? 0
    guard let newest = index.commits.last, commitsAgo > 0 else { return }
    let loss = try Self.loss(
      files, keptFrames: kept?.frame ?? 0, keptPages: kept?.pageCount, newest: newest)
    guard let loss else { return }
    throw refusal(
      .lacking, "\(loss.rawValue), so that state can't be determined reliably", "give a smaller number")
  }

  private enum Loss: String {
    case certain = "a checkpoint may have copied later changes into the main file already"
    case likely =
      "some pages of the main file are as later changes wrote them, and without this -wal's own -shm a checkpoint can't be ruled out"
  }

  /// Whether the main file holds content of frames behind the kept ones, in pages that no kept frame covers.
  ///
  /// A checkpoint writes whole pages out of the WAL into the main file, so a page that it wrote equals one of the
  /// page's frames. The reverse does not hold: a change that was taken back looks the same, and so does a page
  /// that was written again as it was. There the -shm decides, which knows how far checkpoints went.
  private static func loss(
    _ files: StoreFiles, keptFrames: Int, keptPages: UInt32?, newest: WALIndex.Commit
  ) throws -> Loss? {
    let main = try OpenFile.ofStore(files.resolvedPath)
    let pageSize = files.header.pageSize
    let current = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize, alignment: 16)
    defer { current.deallocate() }
    let scanner = try WALScanner(files.walPath, size: newest.endOffset)
    guard scanner.header?.pageSize == pageSize else { return nil }
    var covered: Set<UInt32> = []
    var foundLaterContent = false
    _ = try scanner.scan { frame in
      if frame.number <= keptFrames {
        covered.insert(frame.page)
      } else if !covered.contains(frame.page) {
        let isWhole =
          main.read(into: current, at: (Int64(frame.page) - 1) * Int64(pageSize)).count == pageSize
        foundLaterContent = isWhole && Platform.areEqual(UnsafeRawBufferPointer(current), frame.content)
      }
      return !foundLaterContent
    }
    if foundLaterContent {
      guard let index = try SharedIndex(files), index.salts == scanner.header?.salts else { return .likely }
      if index.backfillAttempted > keptFrames { return .certain }
    }
    // A checkpoint of a store that shrank cuts the main file off.
    let filePages = files.main.size / Int64(pageSize)
    let neededPages = Int64(keptPages ?? files.header.pageCount ?? 0)
    let coveredPages = covered.count { Int64($0) > filePages && Int64($0) <= neededPages }
    return neededPages - filePages > coveredPages ? .certain : nil
  }
}

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
