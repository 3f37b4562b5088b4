import Operations
import Rendering
import SystemCalls
import Values

extension Command {
  static let restore = Command(
    "restore", summary: "restore a backup made by resync, repair or reset", store: .none,
    arguments: [.init("BACKUP", kind: .folder, help: "the backup's folder, which --apply reported")],
    printsRows: false,
    options: [
      OptionDefinition(.to, value: "STORE", kind: .file, help: "another place than the one it comes from"),
      OperationOptions.confirm,
    ],
    discussion: """
      The backup is checked against its manifest first. What is in the store's place is kept in a folder next to it,
      NAME.TIME.replaced, never deleted. Killed at any moment, the old store or the backup's is there, whole; what it
      was about to do lies in .NAME.restoring then, and the next 'restore' to that place finishes it.

      A store that another process has open is not replaced. One that opens it while it is replaced, and waits for
      it, is waited for: killed then, 'restore' can't keep it from damaging the store. Processes of other users are
      seen only by the administrator; quit them yourself.

      It asks for consent if anything is replaced, and if the manifest names another place than next to the backup.

      Examples:
        storescope restore App.store.20261121T064512Z.resync-pull.backup
        storescope restore BACKUP --to /tmp/Then.store
      """,
    formats: OperationOptions.formats,
    changes: { _ in true }
  ) { invocation in
    guard let folder = invocation.argument(0) else {
      throw StoreScopeError(.invalid, "'restore' needs a backup's folder")
    }
    let restore = try Restore(folder: folder, to: invocation.arguments[.to]) {
      invocation.progress.phase($0)
    }
    let manifest = restore.backup.manifest
    var pairs: [(String, DataValue)] = [
      ("store", .text(restore.target)), ("backup", .text(restore.backup.folder)),
      ("of", .date(manifest.time)), ("before", .text(manifest.operation)),
      ("files", .count(manifest.files.count)),
    ]
    let isElsewhere = invocation.arguments[.to] == nil && !restore.goesBesideBackup
    if restore.occupant != .nothing || isElsewhere {
      try restore.refuseKnownProblems()
      let (reason, purpose, now) = question(restore)
      try Consent.get(
        restore.target, because: reason, to: purpose, invocation,
        showing: Document(
          command: "restore",
          blocks: [.heading("Restore"), .pairs(pairs + [("there now", .text(now))])]))
    }
    let replaced = try restore.run(at: Platform.now())
    if let replaced { pairs.append(("replaced", .text("what was there is in \(replaced)"))) }
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
        blocks: [.heading("Restored"), .pairs(pairs)]),
      receipt:
        "'\(restore.target)' was restored from '\(restore.backup.folder)'\(replaced.map { "; what was there is in '\($0)'" } ?? "")."
    )
  }
}

/// Why consent is needed, what it is for, and what is there now.
private func question(_ restore: Restore) -> (reason: String, purpose: String, now: String) {
  let kept = "which is kept in a folder NAME.TIME.replaced next to it"
  switch restore.occupant {
  case .nothing:
    return (
      "The backup's manifest names '\(restore.target)', where no store is", "make one there", "nothing"
    )
  case .store:
    return (
      "There is a store in the backup's place", "replace it",
      "a store, \(kept); what was saved since the backup is only there then"
    )
  case .other(let why):
    return (
      "There is a file in the backup's place that isn't a store: \(why)", "replace it",
      "a file that isn't a store, \(kept): \(why)"
    )
  case .leftovers(let names):
    let names = names.map { "'\($0)'" }.joined(separator: ", ")
    return (
      "There are files of a store in the backup's place: \(names)", "replace them",
      "files of a store without its main file (\(names)), all of \(kept)"
    )
  }
}
