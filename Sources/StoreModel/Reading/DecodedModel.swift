/// A model as read from its archive or XML.
package struct DecodedModel: Sendable, Equatable {
  package var model: ManagedObjectModel
  /// What was wrong or missing and was left out or guessed, one clause each; empty for a sound model.
  package var problems: [String]

  package init(model: ManagedObjectModel, problems: [String] = []) {
    self.model = model
    self.problems = problems
  }
}
