import Base
import Commands
import Shell

@main
struct Main {
  static func main() {
    Platform.exit(
      Application.runPart() ?? Application.run(CommandLine.arguments, shell: StoreShell.open))
  }
}
