import Base
import Comparison
import Evidence
import Operations
import Rendering
import SQLite
import StoreModel

extension Command {
  static let diff = Command(
    "diff", summary: "compare with another store, a backup or another commit",
    arguments: [
      .init(
        "OTHER", kind: .file, isOptional: true,
        help: "a store or a backup folder; omit it to compare STORE with its own earlier state")
    ],
    printsRows: false,
    options: [
      OptionDefinition(
        .asOfCommit, value: "N", kind: .number, help: "STORE as it was N commits ago in its WAL"),
      OptionDefinition(
        .toCommit, value: "N", kind: .number,
        help: "OTHER, or STORE if there is no OTHER, as it was N commits ago (default: 0, the newest)"),
      OptionDefinition(
        .match, value: "BY", kind: .choice, choices: Matching.allCases.map(\.rawValue),
        help: "match objects by primary key or by CloudKit record name"),
      OptionDefinition(
        .entity, value: "NAME", kind: .entity, isRepeatable: true, help: "only objects of this entity"),
    ] + CommonOptions.predicate + [
      OptionDefinition(
        .only, value: "PART", kind: .choice, choices: StoreComparison.Part.allCases.map(\.rawValue),
        isRepeatable: true, help: "compare only this part (objects include the model)"),
      OptionDefinition(.summary, help: "count objects without listing them"),
      OptionDefinition(.values, help: "show the values of added and removed objects (JSON always has them)"),
      OptionDefinition(.exitCode, help: "exit with 1 if the stores differ"),
    ],
    discussion: """
      STORE is the old state and OTHER the new one: 'added' lists what only OTHER has. Neither store
      is changed.

      Without OTHER, 'diff' compares two states of STORE and shows what its newest commit in the WAL
      changed. --as-of-commit N shows what the last N commits changed, and --to-commit M leaves out
      the last M of them. The older state always comes first.

      With OTHER, --as-of-commit N is for STORE and --to-commit N for OTHER.

      Copies, backups and commits of one store are matched by entity and primary key. Two devices
      have different stores: their objects are matched by record name, and objects without a record
      are counted separately, as they can't be matched. If the stores of two devices began as one
      file that shipped with the app, they share an identifier and need --match record.

      Entities and properties are matched by name. A many-to-many link is listed at both ends, a
      one-to-many link only at its to-one end: as Entry.trip, not as Trip.entries. Large values in
      files are compared by content.

      The text output shows some objects per entity, or --limit N of them; in JSON --limit applies to
      each list of objects. In CSV, 'reordered' marks links that have another order.

      Examples:
        storescope diff Before.store After.store
        storescope diff App.store
        storescope diff App.store --as-of-commit 3 --values
        storescope diff App.store.20261121T064512Z.reset.backup App.store --only objects
        storescope diff Phone.store Mac.store --match record --json
      """,
    documents: [DiffDocument.form]
  ) { invocation in
    let session = try invocation.store()
    let arguments = invocation.arguments
    let other = try otherSession(invocation, session)
    func compared(_ session: Session) throws -> ComparedStore {
      do { return try ComparedStore(session.open()) } catch let error as SQLiteError {
        throw StoreReadError(path: session.path, cause: error)
      }
    }
    let parts = arguments.all(.only).compactMap(StoreComparison.Part.init(rawValue:))
    let (one, two) = (try compared(session), try compared(other))
    if one.store.schema.isGuessed != two.store.schema.isGuessed {
      invocation.note(
        "one of the stores has no readable model, so names don't match: pass the app's model for both with --model PATH"
      )
    }
    let entities = try entityNames(arguments.all(.entity), one, two)
    let text = try invocation.predicateText()
    guard text == nil || entities != nil && parts == [.objects] else {
      throw UsageError.conflict(
        "'--predicate' needs --only objects, and --entity NAME, whose objects it is about.")
    }
    let comparison = try StoreComparison(
      one, two,
      options: .init(
        matching: arguments.choice(.match),
        parts: parts.isEmpty ? Set(StoreComparison.Part.allCases) : Set(parts), entities: entities,
        limit: try invocation.limit() ?? 100,
        predicate: text.map { text in { try invocation.predicate(text, of: $0, in: $1) } }),
      progress: { invocation.progress.step($0) })
    let document = try DiffDocument(comparison, session, other).document(
      listsObjects: !arguments.has(.summary), examples: try invocation.limit(),
      hasValues: arguments.has(.values))
    return Outcome(document, exitCode: arguments.has(.exitCode) && !comparison.isEmpty ? 1 : 0)
  }

  /// Opens what the store is compared with.
  private static func otherSession(_ invocation: Invocation, _ session: Session) throws -> Session {
    let typed = session.path
    if let path = try BackupManifest.store(in: session.path) { session.read(at: path) }
    let toCommit = try invocation.arguments.number(.toCommit)
    let other = try invocation.argument(0).map { try session.source(of: BackupManifest.store(in: $0) ?? $0) }
    if let other, !session.isSameFile(as: other) { return try session.openOther(other, asOfCommit: toCommit) }
    let (from, to) = (session.asOfCommit ?? 0, toCommit ?? 0)
    if let word = invocation.argument(0), from == to {
      throw UsageError.conflict(
        "'\(word)' and '\(typed)' are the same file; give another store, or --as-of-commit N to compare with an earlier commit."
      )
    }
    guard session.asOfCommit != nil || toCommit != nil else { return try newestCommit(invocation, session) }
    guard from != to else {
      throw UsageError.conflict(
        "That is one state of the store; give two different commits, or another store: storescope diff STORE OTHER."
      )
    }
    // The older state comes first, whichever option named it.
    if from < to { session.read(asOfCommit: to) }
    return try session.openOther(nil, asOfCommit: from < to ? from : toCommit)
  }

  /// What the newest commit in the WAL changed.
  private static func newestCommit(_ invocation: Invocation, _ session: Session) throws -> Session {
    session.read(asOfCommit: 1)
    do {
      let newest = try session.openOther(nil, asOfCommit: nil)
      invocation.note(
        "this is what the newest commit in the WAL changed; '--as-of-commit N' goes back further")
      return newest
    } catch let error as StoreScopeError where error.kind == .lacking {
      throw UsageError.conflict(
        "'diff' needs OTHER here: the WAL has no commit before which the store could be shown, as --as-of-commit would."
      )
    }
  }

  /// Checked against both stores' models; nil for all.
  private static func entityNames(
    _ words: [String], _ one: ComparedStore, _ two: ComparedStore
  ) throws -> Set<String>? {
    let names = try words.map { word in
      try two.store.schema[word]?.name ?? one.store.entity(named: word).name
    }
    return names.isEmpty ? nil : Set(names)
  }
}
