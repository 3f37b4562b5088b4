package import Values

extension OutputBuffer {
  /// Writes to a file descriptor, which stays open.
  package convenience init(descriptor: Int32) {
    self.init { Platform.write($0, to: descriptor) }
  }
}
