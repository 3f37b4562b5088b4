import Base
import Forge
import TestSupport
import Testing

@testable import Commands

/// Wrong words behind a command, and the next step that each answer names.
struct MistakeTests {
  /// `STORE` stands for the demo's path.
  @Test(arguments: [
    ("rows STORE Trip --limt 3", "Did you mean '--limit'?"), ("rows STORE Trip --limit many", "whole number"),
    ("rows STORE Trip --limit", "needs a value"), ("rows STORE Trip --exact=yes", "no value"),
    ("rows STORE Trip --format jsn", "Did you mean 'json'?"),
    ("rows STORE Trip --format jsonl", "Did you mean 'ndjson'?"),
    ("rows STORE Trip --format csv --json", "can't be combined"), ("rows STORE Trip --color blue", "always"),
    ("rows STORE", "'rows' needs ENTITY, one of Attachment, Entry, "),
    ("rows", "such as one that 'storescope find' lists"),
    ("rows Trip STORE", "the store comes first, as in 'storescope rows "),
    ("rows STORE Trip --filter x", "Did you mean '--where'?"),
    ("rows STORE Trip --order-by x", "Did you mean '--sort'?"),
    ("rows STORE Trip -o json", "Did you mean '--format'?"),
    ("rows STORE Trip --vertical", "Did you mean '--format vertical'?"),
    ("rows STORE Trip Entry", "Unexpected argument 'Entry'"), ("summary STORE more", "Unexpected argument"),
    ("summary STORE --where x", "'rows' has '--where'"),
    ("history STORE --from x", "Did you mean '--since'?"),
    ("history STORE --by autor", "Did you mean 'author'?"), ("history STORE --since someday", "2026-03-01"),
    ("history STORE --since 2026-04-02 --until 2026-04-01", "later than"),
    ("history STORE --change remove", "Did you mean 'delete'?"),
    ("history STORE --change updat", "Did you mean 'update'?"),
    ("history STORE --deleted", "Did you mean '--change delete'?"),
    ("history STORE entry", "Did you mean '--entity Entry'?"),
    ("preflight STORE --assume-cloudkit", "Did you mean '--cloudkit'?"),
    ("doctor STORE --cloudkit", "Did you mean '--assume-cloudkit'?"),
    ("preflight STORE --diff New.momd", "Did you mean '--model'?"),
    ("resync STORE push", "Did you mean '--push'?"),
    ("resync STORE --pull --dry-run", "Did you mean '--rehearse'?"),
    ("resync STORE --pull --apply --yes", "Did you mean '--confirm'?"),
    ("repair STORE orphan", "Did you mean 'remove-orphan-records'?"),
    ("repair STORE object-id-above-max", "'raise-max' fixes what that rule reports."),
    ("repair STORE prune-history --before Apr", "2026-03-01"),
    ("redact STORE --to x", "Did you mean '--output'?"),
    ("export STORE --output out", "Did you mean '--to'?"),
    ("export STORE --to out foo", "Unexpected argument 'foo'"),
    ("trace STORE", "'trace' needs OBJECT"), ("man --limit 3", "no option"),
    ("doctor STORE --rule orphan", "with that word"),
  ]) func wrongUsage(_ line: String, _ says: String) throws {
    let error = try error(line)
    #expect(error is UsageError)
    #expect(Suggestion.description(of: error).contains(says), "\(Suggestion.description(of: error))")
  }

  @Test(arguments: [
    ("entities STORE Pesron", "Did you mean 'Person'?"), ("entities STORE Trips", "Did you mean 'Trip'?"),
    ("history STORE --entity Tirp", "Did you mean 'Trip'?"),
    ("history STORE --object Tirp/p1", "Did you mean 'Trip'?"),
    ("history STORE --author widgit", "Did you mean 'widget'?"),
    ("history STORE --process Jorneys", "Did you mean 'Journeys'?"),
    ("history STORE --property titel", "Did you mean 'title'?"),
    ("rows STORE Trip --sort titel", "Did you mean 'title'?"),
    ("events STORE --columns strated", "Did you mean 'started'?"),
    ("history STORE --transaction 999", "its history has transactions 1 to 20"),
    ("show STORE Tripp/p1", "Did you mean 'Trip'?"), ("show STORE Trip/p99", "no object Trip/p99"),
    ("query STORE chrun", "Did you mean 'churn'?"),
    ("query STORE --views recrods", "Did you mean 'records'?"),
    ("query STORE churn --param lest=3", "Did you mean 'least'?"),
    ("mirror STORE --table ANSCKEVNT", "Did you mean 'ANSCKEVENT'?"),
    ("schema pendign", "Did you mean 'pending'?"),
  ]) func unknownName(_ line: String, _ says: String) throws {
    let error = try error(line)
    #expect(error is StoreScopeError)
    #expect(Suggestion.description(of: error).contains(says), "\(Suggestion.description(of: error))")
  }

  private func error(_ line: String) throws -> any Error {
    let folder = TemporaryFolder("mistakes")
    let path = try DemoStore.copy(in: folder.path("demo"))
    var words = line.split(separator: " ").map { $0 == "STORE" ? path : String($0) }
    let command = try #require(CommandTable.command(named: words.removeFirst()))
    var environment = CommandEnvironment()
    environment.output = .memory { _ in }
    environment.isQuiet = true
    return try #require(throws: (any Error).self) { try Application.run(command, words, in: environment) }
  }
}
