/// Where a file was on the device.
enum DevicePath {
  /// Tools pack the whole file system, or call its two volumes by numbers; nil for other archives.
  static func inArchive(_ path: String) -> String? {
    if path.hasPrefix("private/var/") { return "/\(path)" }
    for (folder, place) in [("filesystem2/", "/private/var/"), ("filesystem1/", "/")] {
      guard let range = path.firstRange(of: folder) else { continue }
      if range.lowerBound == path.startIndex || path[path.index(before: range.lowerBound)] == "/" {
        return place + path[range.upperBound...]
      }
    }
    return nil
  }

  private static let homes = [
    "HomeDomain", "MediaDomain", "CameraRollDomain", "HealthDomain", "HomeKitDomain",
  ]

  /// Nil for containers of apps: their folders have numbers that a backup doesn't note.
  static func inBackup(_ domain: String, _ path: String) -> String? {
    homes.contains(domain) ? "/private/var/mobile/\(path)" : nil
  }
}
