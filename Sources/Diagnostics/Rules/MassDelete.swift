import Lens

extension Rule {
  static let massDeleteByApp = Rule(aboutApp, .history { try MassDeletes($0, aboutApp, .app) })
  static let massDeleteImported = Rule(aboutImport, .history { try MassDeletes($0, aboutImport, .importing) })
}

private let share = Threshold(
  "share", 0.5, "part of the entity's objects; below half, it may be somebody cleaning up")
private let least = Threshold(
  "least", 20, "deletes of one entity; fewer are what a person deletes in a session")
private func pause(_ reason: String) -> Threshold {
  Threshold("pause", 60, "seconds between transactions of one burst; \(reason)")
}

private let aboutApp = RuleHeader(
  "mass-delete-by-app", .warning,
  title: "A program deleted most objects of an entity",
  looksFor: """
    Bursts of transactions by one author that delete at least 'share' of a mirrored entity's objects, and at \
    least 'least'. An error as long as some of these deletions haven't reached the server.
    """,
  why: """
    Deletions are exported like any change: what one device deletes disappears from iCloud and from all other \
    devices. Migrations, "start over" functions and wrong predicates did that to people's libraries.
    """,
  nextLaunch: "Pending deletions are exported, and every other device then deletes the same objects.",
  remedy: """
    If the deletions were a mistake: don't launch the app on this device while they are pending, keep this file, and \
    restore a backup made before the time in 'from'. 'storescope history STORE --change delete --by author' shows \
    who deleted what; 'storescope trace STORE OBJECT' shows one object.
    """,
  needs: [.history, .mirror], log: .transactions,
  falsePositives: """
    The user deleted everything on purpose, or the app replaces its objects in a later save. Batch deletes without \
    history aren't seen. How many objects there were is counted back from today's rows through history.
    """,
  evidence: "App authors report libraries that one device emptied on all of a user's devices.",
  message: "{who} deleted {deletes} of {objectsBefore} {entity} objects at {from}{more}.",
  thresholds: [share, least, pause("an app that deletes object by object saves many times a minute")])

private let aboutImport = RuleHeader(
  "mass-delete-imported", .warning,
  title: "Another device deleted most objects of an entity",
  looksFor: """
    Bursts of imports that delete at least 'share' of a mirrored entity's objects, and at least 'least'.
    """,
  why: """
    Another device deleted the objects in iCloud, and this store followed. If that was a mistake, the cause is on \
    that device, and only a backup has the objects.
    """,
  nextLaunch: "Nothing more: the objects are gone here and on the server.",
  remedy: """
    Ask which devices were active at 'from', and look for 'mass-delete-by-app' in their stores. Restore a backup \
    from before that time on a device without a network connection, and export the objects from it.
    """,
  needs: [.history, .mirror], log: .transactions,
  falsePositives: """
    The user deleted everything on purpose on another device, or left a share. How many objects there were is counted \
    back from today's rows through history.
    """,
  evidence: "App authors report libraries that one device emptied on all of a user's devices.",
  message: "An import deleted {deletes} of {objectsBefore} {entity} objects at {from}.",
  thresholds: [share, least, pause("imports come in transactions of a few hundred objects")])
