extension Terms {
  /// The words that storescope uses for its own results and operations.
  static let tool: [Explanation] = [
    .term(
      "object",
      synonyms: ["objects", "row", "entity", "managed object"],
      """
      One instance of an entity of the model, such as a Person; an entity's objects are the rows of a table. \
      People and commands refer to it as Person/p12, the entity and the row's key, or by its URI or title.
      """,
      advice: "See 'storescope show STORE OBJECT', and 'storescope entities STORE' for the model.",
      certainty: .documented, sources: [ExplanationSource.manual]),
    .term(
      "verdict",
      synonyms: ["verdicts", "state"],
      """
      The conclusion about a store or one object: plain words in text, a code word in JSON. 'storescope \
      pending STORE' shows the store's, 'storescope trace STORE' an object's.
      """,
      advice: "Read the reasons that follow it, then the fix. It rests only on what the store records.",
      certainty: .documented, sources: [ExplanationSource.manual]),
    .term(
      "finding",
      synonyms: ["findings", "rule", "severity", "evidence", "fix", "remedy"],
      """
      A problem that one of the doctor's rules found, with its severity, the evidence and the fix. In JSON the \
      severity of a note is info, and the fix is called remedy.
      """,
      advice:
        "See 'storescope doctor STORE --verbose' for why it matters, and 'storescope rules' for all rules.",
      certainty: .documented, sources: [ExplanationSource.manual]),
    .term(
      "baseline",
      synonyms: ["baselines", "accepted finding"],
      "A file with accepted findings. With it, 'storescope doctor STORE' counts only new ones.",
      advice: "Write it with '--write-baseline FILE', and use it with '--baseline FILE', for example in CI.",
      certainty: .documented, sources: [ExplanationSource.manual]),
    .term(
      "repair",
      synonyms: ["operation", "plan", "repairs"],
      """
      An operation that fixes one problem in a store. As with resync and reset, its plan is shown first, and \
      nothing changes without --apply and confirmation.
      """,
      advice: "'storescope repair STORE' lists the repairs that apply; --rehearse tries one in memory.",
      certainty: .documented, sources: [ExplanationSource.manual]),
    .term(
      "backup",
      synonyms: ["restore", "backups"],
      """
      The copy of a store with all its files that an operation makes before it changes anything: a folder \
      next to the store, with a manifest and a log.
      """,
      advice: "'storescope restore BACKUP' checks it and restores it, byte for byte.",
      certainty: .documented, sources: [ExplanationSource.manual]),
    .term(
      "redacted copy",
      synonyms: ["redact", "redaction", "placeholder", "salt"],
      """
      A copy of a store in which placeholders replace the values; equal values get equal placeholders. \
      Structure, history and the mirror's state are kept, so the doctor's findings are the same.
      """,
      advice: "Make one with 'storescope redact STORE', and check it before you share it.",
      certainty: .documented, sources: [ExplanationSource.manual]),
  ]

  /// What to know first, in the order of reading.
  package static let essential = [
    "object", "persistent history", "transaction", "transaction author", "history token", "unanalyzed",
    "mirroring delegate", "record", "record name", "record zone", "share", "event", "pending upload",
    "pending cloud delete", "uploaded", "unregistered", "orphaned record", "verdict", "finding", "resync",
    "repair", "purge", "backup", "redacted copy",
  ]
}
