#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The process and its surroundings: clocks, paths, the environment, and why a call failed.
package enum Platform {
  // MARK: - Clocks

  /// Seconds of a clock that never goes back.
  package static func monotonicSeconds() -> Double { seconds(CLOCK_MONOTONIC) }

  /// https://man7.org/linux/man-pages/man3/clock_gettime.3.html
  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Nanoseconds since 1970 by the clock that stamps files.
  package static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Nanoseconds, more than between two ticks of the clock that stamps files. Linux stamps them with a coarse clock, which
  /// ticks 100 to 1,000 times a second, and now and then late: https://man7.org/linux/man-pages/man2/clock_getres.2.html
  package static let fileClockTick: Int64 = {
    #if !canImport(Darwin)
      var resolution = timespec()
      if clock_getres(CLOCK_REALTIME_COARSE, &resolution) == 0, resolution.tv_sec == 0 {
        return 3 * max(1_000_000, Int64(resolution.tv_nsec))
      }
    #endif
    return 20_000_000
  }()

  /// Comes back after so many seconds, or when a signal came.
  package static func pause(seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }

  /// The time of day, for ages and "in the future".
  package static func now() -> CoreDataDate { CoreDataDate(unixSeconds: seconds(CLOCK_REALTIME)) }

  /// The time that a result bears: now, or what SOURCE_DATE_EPOCH says, so that one who needs it gets the same bytes in
  /// each run (https://reproducible-builds.org/docs/source-date-epoch/).
  package static func dateOfOutput() -> CoreDataDate {
    sourceDate.map { CoreDataDate(unixSeconds: Double($0)) } ?? now()
  }

  /// Whether each run must produce the same bytes.
  package static var isOutputReproducible: Bool { sourceDate != nil }

  private static var sourceDate: Int64? { environment("SOURCE_DATE_EPOCH").flatMap(Int64.init) }

  /// How far local time is ahead of UTC at a moment: https://man7.org/linux/man-pages/man3/localtime.3.html
  package static func secondsFromUTC(atUnixSeconds seconds: Int64) -> Int64 {
    var time = time_t(seconds)
    var parts = tm()
    return localtime_r(&time, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
  }

  /// The local time zone, for example `Europe/Lisbon`: https://man7.org/linux/man-pages/man3/tzset.3.html
  package static var timeZoneName: String {
    let folder = "/zoneinfo/"
    var zone = environment("TZ") ?? realPath("/etc/localtime") ?? ""
    if zone.hasPrefix(":") { zone.removeFirst() }
    if let range = zone.firstRange(of: folder) { zone = String(zone[range.upperBound...]) }
    return zone.isEmpty ? "UTC" : zone
  }

  // MARK: - Paths

  /// The last part of a path.
  package static func fileName(_ path: String) -> String {
    // Without slashes at the end, as most paths are, it needn't be split.
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), path.utf8.index(after: slash) < path.endIndex {
      return String(path[path.utf8.index(after: slash)...])
    }
    return PathText.names(path).last ?? path
  }

  /// A folder's path as shells complete it, without the slashes at its end.
  package static func withoutLastSlashes(_ path: String) -> String {
    var path = path
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.unicodeScalars.removeLast() }
    return path
  }

  /// The path from the root on, without links; nil if there is nothing.
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The same where its name is UTF-8; else the inner value is nil.
  package static func validRealPath(_ path: String) -> String?? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return .some(String(validatingCString: real))
  }

  /// The longest path that the system knows, in bytes.
  package static var longestPath: Int32 { PATH_MAX }

  /// The path from the root on, links as they are.
  package static func absolutePath(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  // MARK: - Failures

  /// What the C library says of the last failed call.
  package static func lastError() -> String { text(ofError: errno) }

  static func text(ofError number: Int32) -> String { String(cString: strerror(number)) }

  /// The same after opening, examining or listing a path.
  package static func lastOpeningError() -> String { text(ofOpeningError: errno) }

  static func text(ofOpeningError number: Int32, isMac: Bool = isMac) -> String {
    let text = text(ofError: number)
    // Rights that are missing are EACCES there: https://developer.apple.com/forums/thread/678819
    return isMac && number == EPERM
      ? "\(text). If macOS protects this folder, give your terminal Full Disk Access (System Settings > Privacy & Security)"
      : text
  }

  package enum Failure: Sendable {
    /// Nothing has that name.
    case missing
    /// Something on the way to it is no folder.
    case notAFolder
    /// The user's rights don't let that be.
    case denied
    /// Something has that name.
    case taken
    /// It is a link, which isn't followed; or links that lead in a circle.
    case link
    /// Whoever reads what is written has closed the pipe.
    case closedPipe
    /// A signal came.
    case interrupted
    case other
  }

  /// Why the last call failed. To be asked at once.
  package static var lastFailure: Failure {
    switch errno {
    case ENOENT: .missing
    case ENOTDIR: .notAFolder
    case EACCES: .denied
    case EEXIST: .taken
    case ELOOP: .link
    case EPIPE: .closedPipe
    case EINTR: .interrupted
    default: .other
    }
  }

  // MARK: - The process

  /// A variable of the environment; nil where it is unset.
  package static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Where temporary files go.
  package static var temporaryFolder: String {
    environment("TMPDIR").flatMap { $0.isEmpty ? nil : withoutLastSlashes($0) } ?? "/tmp"
  }

  /// Where the user's own files are.
  package static var homeFolder: String { withoutLastSlashes(environment("HOME") ?? "") }

  /// Whether this is a Mac, which has simulators and containers of apps.
  package static var isMac: Bool {
    #if canImport(Darwin)
      true
    #else
      false
    #endif
  }

  /// This process's number.
  static var processID: Int32 { getpid() }

  /// The user in whose name this process runs.
  package static func userID() -> UInt32 { getuid() }

  /// The user with whose rights it does.
  package static var effectiveUserID: UInt32 { geteuid() }

  package static func setEnvironment(_ name: String, _ value: String) { setenv(name, value, 1) }

  package static func exit(_ code: Int32) -> Never { systemExit(code) }
}
