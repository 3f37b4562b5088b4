import Values

/// What a server for assistants was started with, and what its processes pass on to each other.
struct AssistantSettings: Sendable {
  var showsValues: Bool
  /// Those it may look into; empty for all.
  var folders: [String]
  /// How long SQL may take.
  var seconds = defaultSeconds
  /// The same in all answers, so that a placeholder of one can be recognized in the next.
  var salt: [UInt8] = {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }()
  /// Of people, by the marks that were shown for them.
  var names: [String: String] = [:]

  /// Assistants give up on a tool after about a minute.
  static let defaultSeconds = 30
}

extension AssistantSettings {
  var value: DataValue {
    [
      "values": .bool(showsValues), "folders": .array(folders.map(DataValue.text)),
      "seconds": .count(seconds), "salt": .array(salt.map { .integer(Int64($0)) }),
      "names": .object(names.map { .init($0.key, .text($0.value)) }),
    ]
  }

  init?(_ value: DataValue) {
    guard case .bool(let showsValues)? = value["values"], case .array(let folders)? = value["folders"],
      case .integer(let seconds)? = value["seconds"], case .array(let salt)? = value["salt"],
      case .object(let names)? = value["names"]
    else { return nil }
    self.showsValues = showsValues
    self.folders = folders.compactMap(\.text)
    self.seconds = Int(clamping: seconds)
    self.salt = salt.compactMap { if case .integer(let byte) = $0 { UInt8(clamping: byte) } else { nil } }
    self.names = Dictionary(names.map { ($0.name, $0.value.text ?? "") }) { first, _ in first }
  }
}
