import Base
import Evidence
import Lens
import Rendering

extension SizeDocument {
  /// What uses the most and what can be done about it, and what else can be got back. Many free pages come first: they
  /// are all that can be got back at no cost.
  var cause: String? {
    let groups = groups
    guard groups.count > 1, let (largest, bytes) = groups.first, total > 0 else { return nil }
    let others = groups.dropFirst().filter { $0.bytes >= total / 10 }
    let cause =
      largest == .objects && size.objectIndexBytes > bytes / 2
      ? indexCause(objects: bytes, next: groups[1].bytes) : cause(largest, bytes)
    var sentences = [cause].compactMap(\.self)
    for (group, bytes) in others {
      let isFirst = sentences.isEmpty || group == .freePages && bytes >= total / 4
      let amount = "\(isFirst ? "" : "another ")\(share(bytes))"
      guard let sentence = reclaimable(group, amount) else { continue }
      sentences.insert(sentence, at: isFirst ? 0 : sentences.count)
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  private func cause(_ group: Group, _ bytes: Int64) -> String? {
    guard let (what, advice) = advice(on: group) else { return nil }
    return "\(what) the most: \(share(bytes))\(largestPart(of: group) ?? ""). \(advice)"
  }

  /// An index keeps a page even if its table is empty, so deleting objects would return next to nothing.
  private func indexCause(objects: Int64, next: Int64) -> String {
    let indexes = share(size.objectIndexBytes)
    let what =
      size.objectIndexBytes >= next
      ? "Indexes of objects use the most: \(indexes)"
      : "Objects use the most: \(share(objects)), most of it in indexes (\(indexes))"
    return
      "\(what). Core Data makes some of them for relationships; of those in the model, remove what no fetch needs. Deleting objects hardly helps."
  }

  /// What has the most bytes of a group, which may have few of its objects.
  private func largestPart(of group: Group) -> String? {
    switch group {
    case .objects:
      guard let table = size.tables.filter({ $0.group == .objects }).max(by: { $0.all < $1.all }) else {
        return nil
      }
      let content = blobs.first { table.entities.contains($0.entity) && $0.bytes > table.all / 2 }.map {
        ", mostly its \($0.property) (\(share($0.bytes)))"
      }
      // Nobody can delete what isn't there.
      let isEmpty = table.rows == 0 ? ", which is empty" : ""
      return ", the largest is \(table.label) (\(share(table.all)))\(content ?? isEmpty)"
    case .externalFiles:
      guard let blob = blobs.max(by: { $0.externalBytes < $1.externalBytes }), blob.externalBytes > 0 else {
        return nil
      }
      return ", the largest is \(blob.entity).\(blob.property) (\(share(blob.externalBytes)))"
    default: return nil
    }
  }

  private func share(_ bytes: Int64) -> String { Sentence.percent(bytes, of: total) }

  /// How a group that isn't the largest gets smaller; nil for what is needed.
  private func reclaimable(_ group: Group, _ share: String) -> String? {
    switch group {
    case .freePages: "Free pages use \(share): VACUUM returns them to the disk."
    case .history:
      "History uses \(share): the app can delete what all its readers, sync included, have processed."
    case .wal: "The WAL uses \(share): \(checkpoint)."
    case .objects, .mirror, .other, .externalFiles, .assets: nil
    }
  }

  /// The main file grows by the pages that only the WAL has.
  var freedByCheckpoint: Int64 { max(0, wal - size.beyondFile) }

  private var checkpoint: String {
    "a checkpoint writes it into the file and frees \(Sentence.size(freedByCheckpoint)) ('storescope explain checkpoint' shows how)"
  }

  /// A group as the beginning of a sentence, and the advice. How history may be deleted:
  /// https://developer.apple.com/documentation/coredata/consuming-relevant-store-changes
  private func advice(on group: Group) -> (what: String, advice: String)? {
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
        "\(Sentence.begun(checkpoint)). A WAL that stays large usually means that a process keeps reading an old state."
      )
    case .externalFiles: ("External files use", "They go away with the objects that have the values.")
    case .assets: ("Assets to be uploaded use", "They go away when they are uploaded.")
    }
  }
}
