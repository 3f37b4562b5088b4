import Base
import Discovery
import Evidence
import Rendering

/// Which of the stores that were found are asked for.
struct FoundFilter {
  private let apps: [String]
  let isMirrored: Bool
  private let isNewest: Bool

  init(_ arguments: ParsedArguments, isNewest: Bool = false) {
    apps = arguments.all(.app).map { $0.lowercased() }
    isMirrored = arguments.has(.mirrored)
    self.isNewest = isNewest
  }

  /// Whether what is left out is left out because it isn't mirrored.
  var asksForSyncAlone: Bool { isMirrored && apps.isEmpty }

  func includes(_ store: FoundStore) -> Bool {
    (!isMirrored || store.facts.mirror != nil) && includes(store.place)
  }

  /// As far as it shows without opening the store.
  func includes(_ place: FoundPlace) -> Bool {
    guard !apps.isEmpty else { return true }
    return names(place).contains { name in apps.contains(where: name.lowercased().contains) }
  }

  /// A container that can't be searched may have stores of any app.
  func includes(_ place: SkippedPlace) -> Bool {
    place.isContainer || includes(FoundPlace(address: place.address, owner: place.owner))
  }

  /// By what people know a store's app. If nothing shows whose it is, its path may.
  private func names(_ store: FoundPlace) -> [String] {
    guard let owner = store.owner.name else { return [store.address] }
    return [owner]
      + PathText.names(store.address).filter { name in
        [".app", ".xcappdata"].contains(where: name.hasSuffix)
      }
  }

  /// If nothing shows whose a store is, its folder stands for the app.
  func narrowed(_ stores: [FoundStore]) -> [FoundStore] {
    guard isNewest else { return stores }
    func key(_ store: FoundStore) -> Address {
      Address(
        store.owner.name
          ?? String(Substring(store.address.utf8.dropLast(Platform.fileName(store.address).utf8.count))))
    }
    func time(_ store: FoundStore) -> Double { store.facts.lastChange?.seconds ?? -.infinity }
    // A copy of ours is never what an app uses, unless nothing else is there.
    let originals = stores.filter { !$0.isOwnCopy }
    let candidates = originals.isEmpty ? stores : originals
    let newest = Set(
      Dictionary(grouping: candidates, by: key).values.compactMap {
        $0.max { time($0) < time($1) }.map { Address($0.address) }
      })
    return candidates.filter { newest.contains(Address($0.address)) }
  }
}

/// Stores that weren't asked for.
struct OtherStores {
  private(set) var count = 0
  private var withoutApp = 0

  mutating func add(_ store: FoundStore) {
    count += 1
    if store.owner.name == nil { withoutApp += 1 }
  }

  /// What to say if no store was asked for.
  func sentence(_ filter: FoundFilter, _ skipped: [SkippedPlace], in places: [String]) -> String {
    guard count > 0 else {
      guard skipped.isEmpty else { return "No store was found that can be read." }
      let place =
        switch places.count {
        case 1: places[0] == "." ? "this folder" : "'\(places[0])'"
        default: "these places"
        }
      return "No store of Core Data or SwiftData was found in \(place)."
    }
    if filter.asksForSyncAlone {
      return
        "\(Sentence.count(count, "store was", "stores were")) found, and \(Sentence.form(count, "it isn't", "none is")) mirrored to CloudKit."
    }
    let unknown = withoutApp == 0 ? "" : "; for \(Sentence.number(withoutApp)) of them the app isn't known"
    return
      "No such store was found. Without these options there \(Sentence.form(count, "is", "are")) \(Sentence.number(count))\(unknown)."
  }
}

extension FoundStore {
  /// How its sync stands.
  var sync: String {
    guard facts.mirror != nil else { return "not mirrored" }
    return facts.pending.map { $0 == 0 ? "nothing pending" : "\(Sentence.number($0)) pending" } ?? "mirrored"
  }

  /// Of all of its files, as `summary` and `size` have it.
  var size: String {
    Sentence.size(
      facts.bytes.addingClamped(facts.walBytes).addingClamped(facts.externalBytes ?? 0))
  }

  var wal: String {
    if facts.isWALMissing { return "missing" }
    return facts.walBytes == 0 ? "" : Sentence.size(facts.walBytes)
  }

  /// What `find` says of it, for a list in an error: the address as a command takes it, then whose it is, how much it has, and
  /// how sync stands. Not the simulator, whose name a person chose: errors of `mcp` and `fleet` show no values.
  var line: String {
    let about = [
      self.owner.name, facts.objects.map { Sentence.count($0, "object") }, sync,
      facts.damage.map { $0 == StoreDamage.foreignWAL ? "mismatched files" : "damaged" },
    ].compactMap(\.self)
      .joined(separator: ", ")
    return "\(ShellQuotes.word(self.address))  (\(about))"
  }
}

extension StoreKeeper {
  /// `App com.example.Journeys, on iPhone 17 Pro, iOS 26.1`; nil if the place shows neither.
  var text: String? {
    let whose = owner.app.map { "App \($0)" } ?? owner.group.map { "App group \($0)" }
    return switch (whose, device) {
    case (let whose?, let device?): "\(whose), on \(device)"
    case (nil, let device?): "On \(device)"
    case (let whose, nil): whose
    }
  }
}
