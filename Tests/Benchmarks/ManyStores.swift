import Base
import Forge

/// `fleet` over a thousand stores, against a shell's loop over them that prints the schema and counts each table's rows.
enum ManyStores {
  /// How the loop asks.
  enum Peer: CaseIterable {
    /// As people write it: `sqlite3` is started for each statement.
    case processPerStatement
    /// `sqlite3` is started twice for each store: for the names of the tables, and for all that is asked of them.
    case processPerStore

    var name: String {
      switch self {
      case .processPerStatement: "fleet over 1,000 stores"
      case .processPerStore: "fleet over 1,000 stores, the loop's counts in one process"
      }
    }

    fileprivate var script: String {
      let tables = "sqlite3 -readonly \"$store\" \"SELECT name FROM sqlite_master WHERE type = 'table'\""
      return switch self {
      case .processPerStatement:
        "sqlite3 -readonly \"$store\" .schema; for table in $(\(tables)); do sqlite3 -readonly \"$store\" \"SELECT count(*) FROM $table\"; done"
      case .processPerStore:
        "counts=$(\(tables.replacing("SELECT name FROM", with: "SELECT 'SELECT count(*) FROM ' || name || ';' FROM"))); printf '.schema\\n%s\\n' \"$counts\" | sqlite3 -readonly \"$store\""
      }
    }

    func row(_ comparisons: [Int: Comparison]) -> ResultTable.Row {
      ResultTable.Row(name, peer: peer, goal: 0.33, profile: Self.profile, comparisons)
    }

    private static let profile = """
      for each store, a process of its own applies all rules of the doctor and reads what is pending, history and sizes, \
      which is more than a schema and a count per table. A sixth of the samples is allocating memory, and no function has \
      more than a twentieth.
      """

    private var peer: String {
      switch self {
      case .processPerStatement: "a shell loop: sqlite3 for .schema, and for the count of each table"
      case .processPerStore: "a shell loop: sqlite3 twice for each store"
      }
    }
  }

  private static let count = 1000

  static func comparison(_ storescope: String, _ peer: Peer, in folder: String) throws -> Comparison {
    let (one, all, output) = ("\(folder)/one", "\(folder)/stores", "\(folder)/fleet")
    _ = try DemoStore.make(in: one)
    let copying = "mkdir '\(all)' && for n in $(seq \(count)); do cp -R '\(one)' '\(all)'/$n || exit; done"
    guard Process.run(Process.shell, ["-c", copying]).status == 0 else {
      throw StoreScopeError(.failed, "The stores in \(all) can't be copied.")
    }
    defer { _ = Process.run("/bin/rm", ["-rf", one, all, output]) }
    // Each run into a new folder, as a finished run is never written over.
    let ours = "rm -rf '\(output)'; exec '\(storescope)' fleet '\(all)' --to '\(output)' --quiet"
    // Read-only, as the shell would else empty the -wal that the next round is to read.
    let loop = "for store in '\(all)'/*/\(DemoStore.fileName); do \(peer.script); done"
    return try Comparison(
      (Process.shell, ["-c", ours]), against: (Process.shell, ["-c", loop]), rounds: 3)
  }
}
