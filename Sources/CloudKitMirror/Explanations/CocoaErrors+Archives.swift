extension CocoaErrors {
  /// Damaged archives; the mirror keeps its tokens and records as such.
  static let archives: [Explanation] = [
    .foundation(
      4864, "NSCoderReadCorruptError",
      "An archive could not be read because its content is damaged.",
      causes: [
        "A transformable attribute holds data of another kind than its transformer expects",
        "In the mirror: a token, record or share archive is damaged",
      ],
      advice: "`storescope mirror` shows which of the mirror's archives can't be read.",
      heals: .no("The damaged value stays until it is replaced.")),
    .foundation(
      4865, "NSCoderValueNotFoundError",
      "An archive lacks a value that was asked for.",
      causes: [
        "The archive was made by another version of the class",
        "In the mirror: an archive is damaged or of another kind",
      ],
      advice: "`storescope mirror` shows which of the mirror's archives can't be read.",
      heals: .no("The value stays missing until the archive is replaced.")),
    .foundation(
      4866, "NSCoderInvalidValueError",
      "A value that was to be archived is not valid.",
      causes: ["A transformable attribute was given a value that can't be archived"],
      advice: "Check the attribute's transformer and its allowed classes.",
      heals: .no("The value has to be corrected.")),
  ]
}
