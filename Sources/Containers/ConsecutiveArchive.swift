/// The archive that consecutive addresses lie in. From the second one on it is worth decompressing.
package struct ConsecutiveArchive {
  private var container: String?
  private var unpacked: UnpackedArchive?
  private var isTried = false

  package init() {}

  /// The decompressed archive that has the store; nil if the archive is read where it is.
  /// - Throws: `InterruptedError`
  package mutating func unpacked(for address: String) throws -> UnpackedArchive? {
    let former = container
    container = StoreAddress(address)?.container
    guard let container, let former, container.utf8.elementsEqual(former.utf8) else {
      (unpacked, isTried) = (nil, false)
      return nil
    }
    if !isTried { unpacked = try UnpackedArchive(container) }
    isTried = true
    return unpacked
  }
}
