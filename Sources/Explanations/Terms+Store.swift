extension Terms {
  /// The store as a file.
  static let store: [Explanation] = [
    .term(
      "store size",
      synonyms: [
        "size", "bloat", "file size", "disk space", "disk usage", "storage", "large store", "history bloat",
        "vacuum", "free pages", "freelist",
      ],
      """
      The bytes of the store's main file, of its WAL, and of the files next to it that hold large values. \
      Unused pages stay in the main file until it is vacuumed.
      """,
      causes: [
        "Persistent history that is never pruned", "Large binary values kept in rows",
        "Free pages after large deletions", "A WAL that is never checkpointed",
      ], listed: .causes,
      advice: """
        'storescope size STORE' shows what uses the space. The rule 'history-bloat' ('storescope explain \
        history-bloat') reports history that is too large, and 'storescope repair STORE prune-history' prunes it.
        """,
      certainty: .documented,
      sources: ["https://www.sqlite.org/fileformat2.html", ExplanationSource.persistentHistory])
  ]
}
