import Base
import Evidence
import Lens

extension Command {
  package static let shell = Command(
    "shell", summary: "open a shell on one store: commands and SQL",
    printsRows: false,
    options: [
      OptionDefinition(
        .command, short: "c", value: "COMMAND", kind: .word, isRepeatable: true,
        help: "run this command and exit"),
      OptionDefinition(
        .file, short: "f", value: "FILE", kind: .file, help: "run the commands in this file and exit"),
      OptionDefinition(.private, help: "don't save typed commands"),
    ],
    discussion: """
      In the shell, leave out STORE: commands use the open store. SQL is typed directly and ends with ';', and 'help'
      lists the rest. With -c, with -f, or if standard input isn't a terminal, it stops at the first error and reports
      its line; the exit code is the failed command's own. '-f -' reads standard input.

      Examples:
        storescope shell App.store
        storescope shell App.store -c 'pending' -c 'SELECT COUNT(*) FROM Person'
        storescope shell App.store -f checks.txt --json
      """
  ) { invocation in
    let arguments = invocation.arguments
    let scripts =
      arguments.all(.command).map(ShellRequest.Script.command)
      + arguments.all(.file).map(ShellRequest.Script.file)
    let session = try invocation.store()
    return .shell(
      ShellRequest(
        storePath: session.path, source: session.source, scripts: scripts, isPrivate: arguments.has(.private))
    )
  }
}
