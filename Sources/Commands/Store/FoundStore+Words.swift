import Discovery
import Evidence
import Rendering
import Values

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

  /// What `find` says of it, for a list in an error: the address as a command takes it, then whose it is and how sync
  /// stands. Not the simulator, whose name a person chose: errors of `mcp` and `fleet` show no values.
  var line: String {
    let about = [
      self.owner.name, sync,
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
