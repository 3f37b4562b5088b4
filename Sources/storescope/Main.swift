import Commands
import Shell
import SystemCalls

@main
struct Main {
  static func main() {
    Platform.exit(
      FleetTask.isAsked ? FleetTask.run() : Application.run(CommandLine.arguments, shell: StoreShell.open))
  }
}
