/// The names under which a file can be opened. SQLite finds a store's -wal and journal by the name that it is given, so
/// two names of one store don't see each other's commits.
/// https://www.sqlite.org/howtocorrupt.html#_multiple_links_to_the_same_file
package enum FileNames {
  /// How many hard links there are; 0 if there is no file.
  package static func count(of path: String) -> Int { FileStatus(ofLink: path)?.names ?? 0 }

  /// Whether the file alone is mounted at this path, as a container's volume of a single file is.
  /// - Parameter path: absolute and without links.
  package static func isMountPoint(_ path: String) -> Bool {
    #if !canImport(Darwin)
      // https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html
      guard let mounts = try? FileReader.bytes(of: "/proc/self/mountinfo", limit: 16 << 20) else {
        return false
      }
      let place = path.utf8.flatMap { escapes[$0].map { Array($0.utf8) } ?? [$0] }
      return mounts.split(separator: 0x0A).contains { line in
        let fields = line.split(separator: 0x20, maxSplits: 5)
        return fields.count > 4 && fields[4].elementsEqual(place)
      }
    #else
      return false
    #endif
  }

  #if !canImport(Darwin)
    /// How the kernel writes the characters that would end a field.
    private static let escapes: [UInt8: String] = [
      0x20: "\\040", 0x09: "\\011", 0x0A: "\\012", 0x5C: "\\134",
    ]
  #endif
}
