/// An option as the command table defines it; help, completion and the parser read it from there.
package struct OptionDefinition: Sendable, Equatable {
  package var option: OptionName
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
    _ option: OptionName, short: Character? = nil, value: String? = nil, kind: ValueKind? = nil,
    choices: [String] = [], isRepeatable: Bool = false, help: String
  ) {
    self.option = option
    self.short = short
    self.value = value
    self.kind = kind
    self.choices = choices
    self.isRepeatable = isRepeatable
    self.help = help
  }

  /// Without the dashes.
  package var name: String { option.rawValue }

  /// As people type it: `--limit N`.
  package var usage: String {
    let dashes = (short.map { "-\($0), " } ?? "") + "--" + name
    return value.map { "\(dashes) \(choices.isEmpty ? $0 : choices.joined(separator: "|"))" } ?? dashes
  }
}

/// What a value on the command line means. Completion goes by it: what it offers for each, `Completer` says.
package enum ValueKind: Sendable, CaseIterable {
  /// A store's file.
  case store
  /// Any other file, and a folder.
  case file, folder
  /// An entity's name.
  case entity
  /// A URI, `Entity/pN` or a record name.
  case object
  /// `attribute=value`, of the entity named before.
  case attributeValue
  /// A condition in SQL over the properties of the entity named before.
  case condition
  /// The same as NSPredicate has it.
  case predicate
  case author, process, bundle
  /// A property of the entity named before, or of any.
  case property
  /// `NAME,NAME`: properties of the entity named before.
  case properties
  /// The state of a CloudKit record.
  case state
  /// A rule's id, and `RULE.NAME=VALUE`.
  case rule, threshold
  /// An error's code or name, a rule's id, or a term.
  case subject
  /// A saved query's name, or SQL; and `NAME=VALUE` for a parameter of the query named before.
  case query, parameter
  /// A table of the mirror or of history.
  case table
  /// A command's name.
  case command
  /// One of the choices that stand with the option.
  case choice
  case date, number
  /// Anything.
  case word

  /// Whether only a store knows the values.
  var needsStore: Bool {
    switch self {
    case .entity, .object, .attributeValue, .condition, .predicate, .author, .process, .bundle, .property,
      .properties, .query, .table:
      true
    case .store, .file, .folder, .state, .rule, .threshold, .subject, .parameter, .command, .choice, .date,
      .number, .word:
      false
    }
  }
}
