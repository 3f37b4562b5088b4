import Operations
import Rendering
import Values

extension Command {
  static let restore = Command(
    "restore", summary: "put a backup back that an operation made", store: .none,
    arguments: [.init("BACKUP", kind: .folder, help: "the backup's folder, which --apply reported")],
    options: [
      OptionDefinition("to", value: "STORE", kind: .file, help: "another place than the one it comes from"),
      OptionDefinition(
        "confirm", value: "FILENAME", kind: .word, help: "the store's file name, in place of typing it"),
    ],
    discussion: """
      The backup is checked against its manifest first. What is in the store's place is moved into a folder beside it,
      never deleted. Killed in between, it leaves the old files in .NAME.replacing or NAME.TIME.replaced, and the next
      run goes on from there.

      Examples:
        storescope restore App.store.20261121T064512Z.resync-pull.backup
        storescope restore BACKUP --to /tmp/Then.store
      """
  ) { invocation in
    guard let folder = invocation.argument(0) else {
      throw StoreScopeError("'restore' needs a backup's folder.")
    }
    let restore = try Restore(folder: folder, to: invocation.arguments["to"]) { invocation.progress.step($0) }
    let name = restore.target.split(separator: "/").last.map(String.init) ?? restore.target
    try Consent.replacing(name, isThere: FileReader.kind(of: restore.target) != nil, invocation)
    let replaced = try restore.run(at: Platform.now())
    let manifest = restore.backup.manifest
    var pairs: [(String, DataValue)] = [
      ("store", .text(restore.target)), ("backup", .text(restore.backup.folder)),
      ("of", .date(manifest.time)),
      ("before", .text(manifest.operation)), ("files", .count(manifest.files.count)),
    ]
    if let replaced { pairs.append(("replaced", .text("what was there is in \(replaced)"))) }
    return Outcome(
      Document(
        command: "restore",
        fields: [
          .init(
            "store",
            ["path": .text(restore.target), "uuid": .text(manifest.storeUUID), "frameworkVersion": .null]),
          .init("backup", .text(restore.backup.folder)), .init("manifest", manifest.value),
          .init("replaced", .optional(replaced)), .init("verified", true),
        ],
        blocks: [.heading("Restored"), .pairs(pairs)]))
  }
}

extension Consent {
  /// What is in the place of a backup is only moved aside, but it is somebody's store.
  static func replacing(_ name: String, isThere: Bool, _ invocation: Invocation) throws {
    guard isThere else { return }
    if let word = invocation.arguments["confirm"] {
      guard word == name else {
        throw StoreScopeError(
          "'--confirm' says '\(word)', but the store's file is '\(name)'; nothing was changed.")
      }
      return
    }
    guard Platform.isTerminal(0), Platform.isTerminal(2) else {
      throw StoreScopeError(
        "There is a store in the backup's place: a script gives --confirm \(name), a person types the name on a terminal; nothing was changed."
      )
    }
    guard ask("Type the store's file name, \(name), to replace it: ") == name else {
      throw StoreScopeError("The name was not typed; nothing was changed.")
    }
  }
}
