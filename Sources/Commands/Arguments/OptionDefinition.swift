/// An option as the command table defines it; help, completion and the parser read it from there.
package struct OptionDefinition: Sendable, Equatable {
  /// Without the dashes.
  package var name: String
  /// One letter, without the dash.
  package var short: Character?
  /// How the value is called in help, for example `N`; nil for a switch.
  package var value: String?
  /// What the value means; nil for a switch.
  package var kind: ValueKind?
  /// The only values that are taken, where there is such a list.
  package var choices: [String]
  package var isRepeatable: Bool
  package var help: String

  package init(
    _ name: String, short: Character? = nil, value: String? = nil, kind: ValueKind? = nil,
    choices: [String] = [], isRepeatable: Bool = false, help: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.kind = kind
    self.choices = choices
    self.isRepeatable = isRepeatable
    self.help = help
  }

  /// As people type it: `--limit N`.
  package var usage: String {
    let dashes = (short.map { "-\($0), " } ?? "") + "--" + name
    return value.map { "\(dashes) \(choices.isEmpty ? $0 : choices.joined(separator: "|"))" } ?? dashes
  }
}
