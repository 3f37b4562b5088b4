import Forge
import SQLite
import Values

/// `fleet` over a thousand stores, against a loop that starts `sqlite3` for each.
enum ManyStores {
  static let name = "fleet over 1,000 stores"
  private static let count = 1000

  static func row(_ storescope: String, in folder: String) throws -> ResultTable.Row {
    let (one, all, output) = ("\(folder)/one", "\(folder)/stores", "\(folder)/fleet")
    let store = try DemoStore.make(in: one)
    let copying = "mkdir '\(all)' && for n in $(seq \(count)); do cp -R '\(one)' '\(all)'/$n || exit; done"
    guard Process.run(Process.shell, ["-c", copying]).status == 0 else {
      throw StoreScopeError(.failed, "The stores in \(all) can't be copied.")
    }
    defer { _ = Process.run("/bin/rm", ["-rf", one, all, output]) }
    // Each run into a new folder, as a finished run is never written over.
    let ours = "rm -rf '\(output)'; exec '\(storescope)' fleet '\(all)' --to '\(output)' --quiet"
    // Read-only, as the shell would else empty the -wal that the next round is to read.
    let peer =
      "for store in '\(all)'/*/\(DemoStore.fileName); do sqlite3 -readonly \"$store\" .schema \(ShellQuotes.word(try counts(in: store))); done"
    let comparison = try Comparison(
      (Process.shell, ["-c", ours]), against: (Process.shell, ["-c", peer]), rounds: 3)
    return ResultTable.Row(
      name, peer: "a loop of sqlite3 .schema and a count per table", goal: 0.33, comparison)
  }

  private static func counts(in path: String) throws -> String {
    let connection = try Connection(path: path, options: .overlay())
    defer { connection.close() }
    return try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
      "SELECT count(*) FROM \(quotedIdentifier($0.text(0)));"
    }.joined(separator: " ")
  }
}
