import Commands
import Values

@main
struct Main {
  static func main() {
    Platform.exit(Application.run(Array(CommandLine.arguments.dropFirst())))
  }
}
