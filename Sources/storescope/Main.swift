import Commands
import Shell
import Values

@main
struct Main {
  static func main() {
    Platform.exit(Application.run(Array(CommandLine.arguments.dropFirst()), shell: StoreShell.open))
  }
}
