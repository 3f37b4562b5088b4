/// Every rule's examples; a file each for rules that belong together.
enum RuleExamples {
  static let all: [RuleExample] =
    files + objects + values + history + records + mirrorState + cloudKitModels + tokens + events
    + surroundings
    + deletions
}
