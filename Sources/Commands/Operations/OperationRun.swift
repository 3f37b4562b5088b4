import Base
import Diagnostics
import Discovery
import Evidence
import Lens
import Operations
import Rendering
import SQLite

/// One call of a writing command: shows the plan, and with consent applies it.
struct OperationRun {
  private let operation: Operation
  private let invocation: Invocation
  private let path: String

  init(_ operation: Operation, _ invocation: Invocation) throws {
    for option in OperationOptions.choosing
    where invocation.arguments.options[option.option] != nil && !operation.takes.contains(option.name) {
      throw UsageError.conflict("'\(operation.name)' doesn't take '--\(option.name)'; omit it.")
    }
    self.operation = operation
    self.invocation = invocation
    let store = try invocation.store()
    // In the shell the store itself may be open as it was.
    guard store.asOfCommit == nil else {
      throw UsageError.conflict(
        "'\(operation.name)' can't change an earlier state (--as-of-commit). Open the store in its current state."
      )
    }
    guard !store.source.isExtracted else {
      throw StoreScopeError(
        .refused, store.path, "is inside a container, so it can't be changed",
        advice: "copy it out, and plan this for the copy:"
      ).listing(command: store.source.commandToCopyOut)
    }
    path = store.path
  }

  private var modelPath: String? { invocation.arguments[.model] }

  func outcome() throws -> Outcome {
    let arguments = invocation.arguments
    let isApplied = OperationOptions.applies(arguments)
    if arguments.has(.rehearse), isApplied {
      let option = arguments.has(.apply) ? "--apply" : "--on-copy"
      throw UsageError.conflict("'--rehearse' and '\(option)' can't be combined; rehearse first.")
    }
    var choices = try OperationOptions.choices(invocation)
    var (plan, cautions, identity, mirror, before) = try planned(choices)
    let surroundings = Surroundings.preconditions(path, backupParent: backupParent)
    // A rehearsal and a copy leave the store's place alone.
    let inTheWay =
      (isApplied && arguments[.onCopy] == nil ? surroundings : []).filter { !$0.holds }
      + [cautions.condition].filter { !$0.holds }
    // Nobody is asked for the sake of a plan that something else prevents.
    if isApplied, inTheWay.isEmpty, plan.failed.map(\.name) == [Operation.serverZoneCondition],
      let zone = try Consent.serverZone()
    {
      choices.serverZone = zone
      (plan, cautions, identity, mirror, before) = try planned(choices)
    }
    if arguments.has(.rehearse) || isApplied { try refuse(because: inTheWay + plan.failed) }
    let report = PlanDocument(
      plan, choices, surroundings, cautions, warnings: cautions.warnings(of: operation) + placeWarnings,
      mirror: mirror, foldsWAL: FileReader.size(of: path + "-wal") ?? 0 > 0,
      isVerbose: invocation.isVerbose, copy: arguments[.onCopy],
      wording: invocation.isInShell ? nil : CommandWording(place: .program, store: arguments[.onCopy] ?? path)
    )
    if let before { return try rehearse(choices, report, identity, before) }
    guard isApplied else { return Outcome(report.document(identity, command: command)) }
    return try apply(choices, plan, report, identity)
  }

  /// Says all that is in the way, as the plan does.
  private func refuse(because failed: [Precondition]) throws {
    guard let first = failed.first else { return }
    let refusal = "can't be applied to '\(path)', and nothing was changed:"
    guard failed.count > 1 else {
      throw StoreScopeError(.refused, operation.name, "\(refusal) \(first.why)")
    }
    var error = StoreScopeError(.refused, operation.name, refusal)
    error.list = failed.map { "• \($0.why)" }
    throw error
  }

  /// What a change in place brings with it: containers of simulators, downloads and Mac apps are folders like others.
  private var placeWarnings: [String] {
    guard invocation.arguments[.onCopy] == nil else { return [] }
    let backup = backupParent == nil ? ", and pass --backup-to FOLDER to keep the backup out of it" : ""
    let keeper = StoreKeeper(of: path)
    switch keeper.container {
    case .simulator: return ["The store is in a simulator's container: quit the app first\(backup)."]
    case .xcappdata:
      return [
        "The store is in a downloaded container: don't replace the app's with it before this is done\(backup)."
      ]
    default:
      return keeper.owner == .nobody
        ? []
        : ["The store is in the container of \(keeper.owner.name ?? "an app"): quit the app first\(backup)."]
    }
  }

  /// Absolute, so that what is reported of it holds elsewhere too.
  private var backupParent: String? {
    invocation.arguments[.backupTo].map { Platform.withoutLastSlashes(Platform.absolutePath($0)) }
  }

  private var command: String { String(operation.name.split(separator: " ")[0]) }

  /// Reads the store, and lets go of it again: no descriptor may be left open that an end of this process's work on the
  /// plan would close while SQLite holds its lock.
  /// - Returns: last what it says of itself now; nil where nothing is rehearsed.
  private func planned(
    _ choices: Choices
  ) throws -> (Plan, FileCautions, StoreIdentity, MirrorSummary?, StoreReading?) {
    try SecondLook.read({ Session(path: path, modelPath: modelPath, goesOn: { !Interruption.isRequested }) })
    {
      session in
      let open = try session.open()
      let opened = try open.bytes()
      let cautions = try FileCautions(opened)
      let plan: Plan
      do {
        plan = try Planner.plan(operation, choices, on: Target(open, file: opened.files.main.identity))
      } catch let error as SQLiteError where error.isDamage && !cautions.condition.holds {
        throw StoreScopeError(
          .refused, operation.name, "can't be planned for '\(path)': \(cautions.condition.why)",
          outcome: .unchanged)
      }
      let isRehearsed =
        invocation.arguments.has(.rehearse) && plan.failed.isEmpty && cautions.condition.holds
      let before = isRehearsed ? try StoreReading(open, progress: invocation.progress) : nil
      let identity = try session.identity()
      let mirror = operation.needsMirror ? try DoctorArguments.mirror(of: open).summary : nil
      try session.finish()
      return (plan, cautions, identity, mirror, before)
    }
  }

  private func apply(
    _ choices: Choices, _ plan: Plan, _ report: PlanDocument, _ identity: StoreIdentity
  ) throws -> Outcome {
    guard plan.rows > 0 else {
      let why = plan.settled.map { ": \($0)" } ?? ""
      throw StoreScopeError(
        .refused, operation.name, "would change no row of '\(path)', so nothing was done\(why)")
    }
    var made: StoreCopy?
    var (target, shown) = (path, plan)
    if let copy = invocation.arguments[.onCopy] {
      // Nothing that is there is changed, so there is nothing to consent to.
      try Consent.checkGiven([Platform.fileName(path), Platform.fileName(copy)], invocation)
      made = try StoreCopy.make(of: path, file: plan.subject.file, at: copy) {
        invocation.progress.phase($0)
      }
      (target, shown.subject.file) = (copy, made?.file)
    } else {
      try Consent.get(
        path, because: "'--apply' needs confirmation",
        to:
          "change \(Sentence.count(plan.rows, "row")) by '\(operation.name)' (risk: \(plan.risk.rawValue))",
        invocation,
        showing: report.document(identity, command: command, .awaitsConsent))
    }
    let applier = Applier(
      path: target, modelPath: modelPath, backupParent: backupParent, version: Application.version
    ) { invocation.progress.phase($0) }
    let applied: Applied
    do { applied = try applier.apply(operation, choices, shown: shown) } catch {
      // Else the next try would find the copy in its way.
      made?.remove()
      throw error
    }
    // Who typed the name has read the plan just now.
    let hasSeenPlan = made == nil && !invocation.arguments.has(.confirm)
    return .done(
      report.document(
        identity, command: command, .applied(applied, at: target, showsPlan: !hasSeenPlan)),
      receipt:
        "The change of '\(target)' was made; the backup is '\(applied.backupFolder)', and the log '\(applied.log)'."
    )
  }

  private func rehearse(
    _ choices: Choices, _ report: PlanDocument, _ identity: StoreIdentity, _ before: StoreReading
  ) throws -> Outcome {
    let after = try Rehearsal.run(operation, choices, path: path, modelPath: modelPath) { open, _ in
      try StoreReading(open, progress: invocation.progress)
    }
    return Outcome(report.document(identity, command: command, .rehearsed(before: before, after: after)))
  }
}

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
