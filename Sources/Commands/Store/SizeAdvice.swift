import Evidence
import Lens
import Rendering
import Values

extension SizeDocument {
  /// What uses the most, and what can be done about it.
  var cause: String? {
    let groups = groups
    guard groups.count > 1, let (largest, bytes) = groups.first, total > 0,
      let (what, advice) = Self.advice(on: largest)
    else { return nil }
    let detail = largestPart(of: largest).map {
      ", the largest is \($0.name) (\(Sentence.percent($0.bytes, of: total)))"
    }
    return "\(what) the most: \(Sentence.percent(bytes, of: total))\(detail ?? ""). \(advice)"
  }

  /// What has the most bytes of a group, which may have few of its objects.
  private func largestPart(of group: Group) -> (name: String, bytes: Int64)? {
    switch group {
    case .objects:
      return size.tables.filter { $0.group == .objects }.max { $0.all < $1.all }.map { ($0.label, $0.all) }
    case .externalFiles:
      guard let blob = blobs.max(by: { $0.externalBytes < $1.externalBytes }), blob.externalBytes > 0 else {
        return nil
      }
      return ("\(blob.entity).\(blob.property)", blob.externalBytes)
    default: return nil
    }
  }

  /// A group as the beginning of a sentence, and the advice. How history may be deleted:
  /// https://developer.apple.com/documentation/coredata/consuming-relevant-store-changes
  private static func advice(on group: Group) -> (what: String, advice: String)? {
    switch group {
    case .objects: ("Objects use", "Deleting objects leaves free pages, which VACUUM returns to the disk.")
    case .history:
      (
        "History uses",
        "The app can delete what all its readers have processed (NSPersistentHistoryChangeRequest.deleteHistory), in a mirrored store never what sync still has to process."
      )
    case .mirror: ("The mirror uses", "Sync needs it: without it, the next launch uploads everything again.")
    case .other: nil
    case .freePages:
      (
        "Free pages use",
        "VACUUM returns them to the disk, as does opening the store with NSSQLiteManualVacuumOption."
      )
    case .wal:
      (
        "The WAL uses",
        "A checkpoint writes it into the file; a WAL that stays large usually means that a process keeps reading an old state."
      )
    case .externalFiles: ("External files use", "They go away with the objects that have the values.")
    case .assets: ("Assets to be uploaded use", "They go away when they are uploaded.")
    }
  }
}
