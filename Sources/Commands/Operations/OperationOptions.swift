import Operations
import Rendering
import Values

/// Options that every writing command takes, and what they mean.
enum OperationOptions {
  /// A plan has no rows for CSV, which must not be found out after it was applied.
  static let formats = Format.common.filter { $0 != .csv }

  static let common: [OptionDefinition] = [
    OptionDefinition(.apply, help: "apply the plan; without this it is only shown"),
    confirm,
    OptionDefinition(
      .backupTo, value: "FOLDER", kind: .folder, help: "folder for the backup (default: next to the store)"),
    OptionDefinition(.rehearse, help: "try it in memory and show what 'pending' and 'doctor' would report"),
    OptionDefinition(
      .onCopy, value: "COPY", kind: .file,
      help: "apply it to a new copy and leave the store alone; no --apply or --confirm needed"),
  ]

  /// Whether the command changes anything.
  @Sendable static func applies(_ arguments: ParsedArguments) -> Bool {
    arguments.has(.apply) || arguments[.onCopy] != nil
  }

  static let confirm = OptionDefinition(
    .confirm, value: "FILENAME", kind: .word, help: "confirm with the store's file name instead of typing it")
  static let discardPendingDeletes = OptionDefinition(
    .discardPendingDeletes, help: "proceed even though pending deletes will be lost")
  static let entity = OptionDefinition(
    .entity, value: "NAME", kind: .entity, help: "only this entity and its sub-entities")
  static let serverZone = OptionDefinition(
    .serverZone, value: "STATE", kind: .choice, choices: Choices.ServerZone.allCases.map(\.rawValue),
    help: "whether the zone on the server is emptied too, or kept")
  static let cloud = OptionDefinition(
    .cloud, value: "WHAT", kind: .choice, choices: Choices.CloudCopies.allCases.map(\.rawValue),
    help: "what to do with the server's copies of orphaned records")
  static let before = OptionDefinition(
    .before, value: "DATE", kind: .date, help: "only history before this date (UTC)")

  /// Those that not every operation has a use for.
  static let choosing = [entity, serverZone, cloud, before, discardPendingDeletes]

  /// What an operation doesn't use isn't declared by its command either.
  static func choices(_ invocation: Invocation) throws -> Choices {
    let arguments = invocation.arguments
    var choices = Choices()
    choices.entity = arguments.options[.entity]?.last
    choices.serverZone = arguments.options[.serverZone]?.last.flatMap(Choices.ServerZone.init(rawValue:))
    choices.cloud = arguments.options[.cloud]?.last.flatMap(Choices.CloudCopies.init(rawValue:))
    choices.before = arguments.options[.before] == nil ? nil : try invocation.date(.before)
    choices.discardsPendingDeletes = arguments.options[.discardPendingDeletes] != nil
    return choices
  }
}
