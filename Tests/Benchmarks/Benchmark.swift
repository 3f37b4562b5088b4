import Forge
import Values

#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// Measures the release binary against the `sqlite3` shell, as whole processes taken in turn, and prints ratios.
/// Nothing is judged: the README tells what was claimed.
@main
struct Benchmark {
  /// Runs the forge in a process of its own: the kernel counts what a parent had before `exec` as its child's.
  static let forgeOption = "--forge"

  static func main() throws {
    switch CommandLine.arguments.dropFirst().first {
    case forgeOption: return try MillionRows.forge()
    case MillionRecords.forgeOption: return try MillionRecords.forge()
    case LargeArchive.forgeOption: return try LargeArchive.forge()
    default: break
    }
    let folder = "/tmp/storescope-benchmark-\(getpid())"
    guard mkdir(folder, 0o700) == 0 else { throw StoreScopeError(.failed, "can't make \(folder)") }
    defer { _ = Process.run("/bin/rm", ["-rf", folder]) }
    let storescope = CommandLine.arguments.dropFirst().first ?? ".build/release/storescope"
    guard access(storescope, X_OK) == 0 else {
      throw StoreScopeError(
        .failed,
        "There is no \(storescope); build it with 'swift build -c release --static-swift-stdlib' first.")
    }
    try SmallStore.measure(storescope, in: folder)
    try MillionRows.measure(storescope, in: folder)
    try MillionRecords.measure(storescope, in: folder)
    try LargeArchive.measure(storescope, in: folder)
  }
}
