import Base
import Evidence
import Operations
import Rendering

extension Command {
  static let restore = Command(
    "restore", summary: "restore a backup made by resync, repair or reset", store: .none,
    arguments: [
      .init(
        "BACKUP", kind: .folder, isOptional: true,
        help: "the backup's folder, which --apply reported; in the shell, omit it to list them")
    ],
    printsRows: false,
    options: [
      OptionDefinition(
        .to, value: "STORE", kind: .file, help: "restore to this path instead of the original one"),
      OptionDefinition(.apply, help: "accepted for consistency: 'restore' always applies"),
      OperationOptions.confirm,
      OptionDefinition(.rehearse, help: "check the backup and show what would be replaced; change nothing"),
    ],
    discussion: """
      'storescope restore STORE' lists the backups next to a store.

      'restore' asks for confirmation if it replaces anything, or if the manifest's path isn't next
      to the backup, and shows what was saved since the backup was made. --rehearse shows all that
      and changes nothing.

      The backup is checked against its manifest first. Files that it replaces are kept in a folder
      next to the store, NAME.TIME.replaced, and never deleted. That folder is a backup as well:
      restoring it undoes the restore.

      If 'restore' is killed at any point, you're left with a complete store: the old one or the
      backup's. The folder .NAME.restoring then has the unfinished work, and the next 'restore' to
      that path finishes it.

      A store that another process has open isn't replaced. If a process opens it during the
      replacement, 'restore' waits for that process; don't kill 'restore' then, as the other process
      could damage the store. Only root can see other users' processes; quit them yourself.

      Examples:
        storescope restore App.store.20261121T064512Z.resync-pull.backup --rehearse
        storescope restore App.store.20261121T064512Z.resync-pull.backup
        storescope restore BACKUP --to /tmp/Then.store
      """,
    formats: OperationOptions.formats,
    changes: { !$0.has(.rehearse) && !$0.positionals.isEmpty },
    documents: OperationForms.restore
  ) { invocation in
    if invocation.arguments.has(.rehearse), invocation.arguments.has(.apply) {
      throw UsageError.conflict("'--rehearse' and '--apply' can't be combined; rehearse first.")
    }
    // Nobody may take the list for a restored store.
    let isAsked = [OptionName.to, .apply, .confirm, .rehearse].contains {
      invocation.arguments.options[$0] != nil
    }
    guard let folder = invocation.argument(0) else {
      guard let store = invocation.openPath, !isAsked else {
        throw UsageError.conflict(
          "'restore' needs a backup; 'storescope restore STORE' lists those next to a store.")
      }
      return Outcome(backupList(nextTo: store))
    }
    if FileReader.kind(of: folder) == nil, Platform.lastFailure == .missing {
      throw StoreScopeError(
        .notFound, "There is no folder '\(folder)'", about: folder,
        advice: "'storescope restore STORE' lists the backups next to a store", outcome: .unchanged)
    }
    if FileReader.kind(of: folder) == .file {
      if let log = backup(ofLog: folder) { throw log }
      if isAsked { throw backups(nextTo: folder) }
      return Outcome(backupList(nextTo: folder))
    }
    if FileReader.kind(of: folder) == .folder, let choice = backups(in: folder) { throw choice }
    var restore = try Restore(folder: folder, to: invocation.arguments[.to]) {
      invocation.progress.phase($0)
    }
    restore.version = Application.version
    let manifest = restore.backup.manifest
    let plan = try RestorePlan(restore, invocation)
    var pairs = plan.pairs
    let isElsewhere = invocation.arguments[.to] == nil && !restore.goesBesideBackup
    let (reason, purpose, now) = question(restore)
    let shown = Document(
      command: "restore", fields: [.init("plan", plan.value)],
      blocks: [
        .heading("Restore"),
        .pairs(pairs + [("there now", .text(now))] + [plan.savedSince].compactMap(\.self)),
      ])
    if invocation.arguments.has(.rehearse) {
      try restore.refuseKnownProblems()
      var rehearsed = shown
      rehearsed.blocks += [
        .text(""),
        .text(
          "The backup is complete, and nothing was found that prevents restoring it. Nothing was changed."),
      ]
      return Outcome(rehearsed)
    }
    if restore.occupant != .nothing || isElsewhere {
      try restore.refuseKnownProblems()
      try Consent.get(restore.target, because: reason, to: purpose, invocation, showing: shown)
    }
    let replaced = try restore.run(at: Platform.now())
    var undo: [Document.Block] = []
    if let replaced {
      pairs.append(("replaced", .text("the previous files are in \(replaced)")))
      // Whoever knows the folder can give it to 'restore', if it holds the whole store.
      if (try? BackupManifest.store(in: replaced)) != nil {
        undo = PlanDocument.undo(restoring: replaced)
      }
    }
    return .done(
      Document(
        command: "restore",
        fields: [
          .init(
            "store",
            ["path": .text(restore.target), "uuid": .text(manifest.storeUUID), "frameworkVersion": .null]),
          .init("backup", .text(restore.backup.folder)), .init("manifest", manifest.value),
          .init("replaced", .optional(replaced)), .init("verified", true),
        ],
        blocks: [.heading("Restored"), .pairs(pairs)] + undo),
      receipt:
        "'\(restore.target)' was restored from '\(restore.backup.folder)'\(replaced.map { "; the previous files are in '\($0)'" } ?? "")."
    )
  }
}

/// People name the folder that has the backups, which is no backup itself; nil if it has none, or is one.
private func backups(in folder: String) -> UsageError? {
  guard !BackupFolder.isOne(folder) else { return nil }
  let names = (try? FileReader.names(in: folder, limit: .max)) ?? []
  let stores = Set(names.compactMap { $0.firstMatch(of: /^(.+)\.\d{8}T\d{6}Z\./).map { String($0.1) } })
  let commands = stores.sorted().flatMap { store in
    newest(BackupFolder.all(of: store, in: folder)).map { restoring($0) }
  }
  guard !commands.isEmpty else { return nil }
  return .conflict(
    "'\(folder)' isn't a backup, but contains these, the newest of each store first:",
    list: commands)
}

private func newest(_ backups: [String]) -> [String] { backups.suffix(10).reversed() }

/// The commands for the newest ones next to a store, whose folder is written as it was typed: most then fit a line.
private func restoring(nextTo store: String) -> [String] {
  let folder = store.lastIndex(of: "/").map { String(store[...$0]) } ?? ""
  return newest(BackupFolder.all(nextTo: store)).map { backup in
    let short = folder + Platform.fileName(backup)
    // Not if the store is a link, or the name would be taken for an option.
    return restoring(!short.hasPrefix("-") && Platform.realPath(short) == backup ? short : backup)
  }
}

/// For those who want an earlier one back, in the shell of the store that is open.
private func backupList(nextTo store: String) -> Document {
  let found = newest(BackupFolder.all(nextTo: store))
  let name = StoreParts(path: store).name
  return Document(
    command: "restore", fields: [.init("backups", .array(found.map(DataValue.text)))], payload: "backups",
    blocks: found.isEmpty
      ? [
        .text(
          "No backup is next to '\(name)'. 'resync', 'repair' and 'reset' make one when they change a store.")
      ]
      : [
        .text(
          "Backups of '\(name)', newest first; with --rehearse, these only show what they would replace:"),
        .lines(restoring(nextTo: store)),
      ])
}

private func restoring(_ backup: String) -> String {
  "storescope restore \(ShellQuotes.word(backup))"
}

/// Completion offers it after the backup. Nil for other files.
private func backup(ofLog file: String) -> UsageError? {
  guard let backup = OperationLog.backup(ofLog: file), BackupFolder.isOne(backup) else { return nil }
  return .conflict("'\(file)' is the log of a backup. To restore that backup:", list: [restoring(backup)])
}

/// People name the store that they want back; which of its backups is theirs to choose.
private func backups(nextTo file: String) -> UsageError {
  let commands = restoring(nextTo: file)
  guard !commands.isEmpty else {
    return .conflict(
      "'\(file)' is a file, and 'restore' needs the folder of a backup. None is next to it; '--apply' prints where it puts one."
    )
  }
  return .conflict(
    "'\(file)' is a file, and 'restore' needs the folder of a backup. Next to it, newest first:",
    list: commands)
}

/// Why consent is needed, what it is for, and what is there now.
private func question(_ restore: Restore) -> (reason: String, purpose: String, now: String) {
  let kept = "which will be moved to a folder NAME.TIME.replaced next to it"
  switch restore.occupant {
  case .nothing:
    return (
      "No store is at '\(restore.target)', the path in the backup's manifest", "create one there",
      "nothing"
    )
  case .store:
    return (
      "There is already a store at that path (--rehearse shows what was saved since the backup)",
      "replace it",
      "a store, \(kept)"
    )
  case .other(let why):
    return (
      "There is a file at that path that isn't a store: \(why)", "replace it",
      "a file that isn't a store, \(kept): \(why)"
    )
  case .leftovers(let names):
    let names = names.map { "'\($0)'" }.joined(separator: ", ")
    return (
      "There are files of a store at that path: \(names)", "replace them",
      "files of a store without its main file (\(names)), all of \(kept)"
    )
  }
}
