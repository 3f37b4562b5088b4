#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// Writes small files: results that people asked for, never a store.
package enum FileWriter {
  /// Replaces the file as a whole, or leaves what was there: the text goes into a new file beside it, which then
  /// takes its name.
  /// - Throws: `StoreScopeError`.
  package static func write(_ text: String, to path: String) throws {
    let temporary = "\(path).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw StoreScopeError("'\(path)' can't be written: \(Platform.lastError()); choose another place.")
    }
    let isWritten =
      Array(text.utf8).withUnsafeBytes { Platform.write($0, to: descriptor) } && fsync(descriptor) == 0
    let problem = Platform.lastError()
    close(descriptor)
    guard isWritten, rename(temporary, path) == 0 else {
      let reason = isWritten ? Platform.lastError() : problem
      unlink(temporary)
      throw StoreScopeError("'\(path)' can't be written: \(reason); what was there before is still there.")
    }
  }
}
