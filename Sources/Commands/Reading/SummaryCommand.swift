import Evidence
import Lens
import Rendering
import StoreModel
import Values

extension Command {
  static let summary = Command(
    "summary", summary: "what is in a store: entities, history, mirror, files, model",
    options: [
      OptionDefinition("commits", help: "list the commits in the WAL, newest first"),
      OptionDefinition("metadata", help: "print all of the store's metadata"),
    ],
    discussion: """
      Rows are counted for exactly the entity named, sub-entities apart. The commits that --commits lists are what
      --as-of-commit N takes.
      """
  ) { invocation in
    let summary = try StoreSummary(invocation.store(), progress: invocation.progress)
    return Outcome(
      summary.document(
        showsCommits: invocation.arguments.has("commits"), showsMetadata: invocation.arguments.has("metadata")
      ))
  }
}
