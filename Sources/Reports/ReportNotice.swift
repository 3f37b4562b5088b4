/// What a report contains and what not, in words.
enum ReportNotice {
  /// One sentence.
  static func contains(_ origin: Report.Origin) -> String {
    origin.showsValues
      ? "Values are shown, as --include-values asked for: record names, zones, owners, paths and what findings quote stand here as the store has them."
      : "Names of entities, properties, rules and authors, counts, times and states are shown; values are not, and record names, zones, owners, paths, bundles and identifiers are replaced by marks, UUIDs in sentences by other UUIDs."
  }

  static func details(_ origin: Report.Origin) -> [String] {
    let salt =
      origin.isSalted
      ? "The salt was given with --salt, so that other reports with the same one have the same marks; who knows it can check guesses."
      : "The salt was random and isn’t kept: no other report has the same marks, and nobody can check guesses against them."
    let marks =
      origin.showsValues
      ? []
      : [
        "A mark such as record-3f9a2c41d07b stands for one text wherever it occurs: equal marks, equal texts. It is the beginning of a SHA-256 over a salt and the text. \(salt)",
        "Not here: what attributes hold, record names, device and user names, zone and owner names but for the framework’s own, container and bundle identifiers, file names and paths, the store’s identifier, and texts of errors beside their codes.",
      ]
    return [
      "Here: names of entities, properties, relationships and tables, of authors and processes as the app’s code has them; primary keys of objects; counts, sizes, times and states; error domains and codes; the doctor’s findings; hashes of the store’s files."
    ] + marks + [
      "Names that the app’s developers chose may tell something too. Please read the page before you pass it on.",
      "The page is one file. It loads nothing, sends nothing, and reads without scripts; a small script of its own sorts and filters tables.",
    ]
  }
}
