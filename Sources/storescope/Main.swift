import Commands
import Shell
import SystemCalls
import Values

@main
struct Main {
  static func main() {
    Platform.exit(Application.run(CommandLine.arguments, shell: StoreShell.open))
  }
}
