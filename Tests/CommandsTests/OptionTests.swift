import Base
import Commands
import Forge
import TestSupport
import Testing

/// An option is declared in one place and asked for in others: both write the same member of `OptionName`, and what isn't
/// declared mustn't be asked for.
struct OptionTests {
  @Test(arguments: CommandTable.all.map(\.name)) func namesAreWordsThatOccurOnce(_ name: String) throws {
    let options = try #require(CommandTable.command(named: name)).allOptions.map(\.name)
    #expect(Set(options).count == options.count)
    #expect(options.allSatisfy { $0.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil })
  }

  @Test func toAskForAnUndeclaredOptionEndsADebugBuild() async {
    await #expect(processExitsWith: .failure) {
      _ = try ArgumentParser.parse(["x"], options: [], command: "x").has(.chart)
    }
  }

  enum Use: CaseIterable {
    case least, allArguments, allOptions
  }

  /// `repair` without a name asked for options of which it declares some only.
  @Test(arguments: CommandTable.all.map(\.name), Use.allCases)
  func everyCommandAsksForDeclaredOptionsOnly(_ name: String, use: Use) throws {
    let folder = TemporaryFolder("options")
    let command = try #require(CommandTable.command(named: name))
    var environment = CommandEnvironment()
    environment.storePath = try DemoStore.copy(in: folder.path("demo"))
    environment.output = .memory { _ in }
    environment.isQuiet = true
    var words = command.arguments.filter { use != .least || !$0.isOptional }
      .map { value($0.kind, $0.choices, folder) }
    if use == .allOptions {
      words += command.options.flatMap { option in
        ["--\(option.name)"] + (option.kind.map { [value($0, option.choices, folder)] } ?? [])
      }
    }
    // Most are refused, as not all of their options go together; an undeclared one would end the process.
    do { _ = try Application.run(command, words, in: environment) } catch {
      #expect(error is UsageError || error is StoreScopeError || error is StoreReadError, "\(error)")
    }
  }

  private func value(_ kind: ValueKind, _ choices: [String], _ folder: TemporaryFolder) -> String {
    if let choice = choices.first { return choice }
    return switch kind {
    case .entity: "Person"
    case .object: "Person/p1"
    case .number: "1"
    case .date: "2026-01-01"
    case .query: "SELECT 1"
    case .parameter: "a=1"
    case .condition: "1"
    case .subject: "134419"
    case .table: "ANSCKEVENT"
    default: folder.path("nothing")
    }
  }
}
