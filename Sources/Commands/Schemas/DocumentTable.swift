import Values

/// The JSON of all commands that print some, in the order of `CommandTable`. A test holds one against the other, and every
/// command's output against its shape.
///
/// A new command's shape goes where its neighbors are. Rows that a list of columns describes, such as a view or a data set,
/// take their keys from that list: see `Shape.Key.columns`.
package enum DocumentTable {
  package static let all: [DocumentShape] = CommandTable.all.compactMap { command in
    command.documents.isEmpty
      ? old.first { $0.command == command.name } : DocumentShape(command.name, command.documents)
  }
  private static let old: [DocumentShape] =
    fleetShapes + historyShapes + operationShapes

  package static func document(of command: String) -> DocumentShape? { all.first { $0.command == command } }
}
