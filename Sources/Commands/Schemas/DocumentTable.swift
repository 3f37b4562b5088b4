import Values

/// The JSON of all commands that print some, in the order of `CommandTable`. A test holds one against the other, and every
/// command's output against its shape.
///
/// A command declares its documents by lists of fields. Those of diff, fleets and operations still have a
/// description of their own, in the files next to this one.
package enum DocumentTable {
  package static let all: [DocumentShape] = CommandTable.all.compactMap { command in
    command.documents.isEmpty
      ? old.first { $0.command == command.name } : DocumentShape(command.name, command.documents)
  }
  private static let old: [DocumentShape] =
    fleetShapes + historyShapes + operationShapes

  package static func document(of command: String) -> DocumentShape? { all.first { $0.command == command } }
}
