import Rendering
import Values

extension Command {
  static let man = Command(
    "man", summary: "print the manual page", store: .none,
    printsRows: false,
    discussion: """
      Prints the source of storescope(1) for man(1).

      Examples:
        storescope man > storescope.1
        storescope man | man -l -
      """,
    formats: Command.textFormats,
    documents: [DocumentForm(store: .never, [.init("page", .text, "the source of the manual page")])]
  ) { invocation in
    let text = ManualPage(commands: CommandTable.all).text
    // Its source is nothing to read.
    let block: Document.Block =
      invocation.isOnTerminal
      ? .text("'storescope man | man -l -' shows the manual page.") : .verbatim(text)
    return Outcome(Document(command: "man", fields: [.init("page", .text(text))], blocks: [block]))
  }
}
