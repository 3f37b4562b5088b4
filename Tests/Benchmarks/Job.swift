import SQLite

/// Something people wait for, against what others use for it.
struct Job: Sendable {
  let name: String
  /// What it is compared with.
  let peer: String
  /// The ratio that was aimed at.
  let goal: Double
  /// What a profile showed where the goal wasn't met.
  var profile = ""
  let command: @Sendable (_ storescope: String, Giant) -> Comparison.Command
  let peerCommand: @Sendable (Giant) throws -> Comparison.Command

  func row(_ comparisons: [Int: Comparison]) -> ResultTable.Row {
    ResultTable.Row(name, peer: peer, goal: goal, profile: profile, comparisons)
  }

  /// Each with the same answer from both, or with less from the peer.
  static let all = [
    Job(
      name: "rows as CSV", peer: "sqlite3 -csv of the raw table", goal: 0.3,
      command: { ($0, ["rows", $1.store, "Measurement", "--format", "csv", "--quiet"]) },
      peerCommand: { ("sqlite3", ["-csv", $0.store, "SELECT * FROM ZMEASUREMENT"]) }),
    Job(
      name: "rows as NDJSON", peer: "sqlite3 -json of the raw table", goal: 0.3,
      command: { ($0, ["rows", $1.store, "Measurement", "--format", "ndjson", "--quiet"]) },
      peerCommand: { ("sqlite3", ["-json", $0.store, "SELECT * FROM ZMEASUREMENT"]) }),
    Job(
      name: "history by author", peer: "GROUP BY over the joins", goal: 0.4,
      command: { ($0, ["history", $1.mirror, "--by", "author", "--format", "csv", "--quiet"]) },
      peerCommand: { ("sqlite3", ["-csv", $0.mirror, authors]) }),
    Job(
      name: "history as NDJSON", peer: "sqlite3 -json of the joins", goal: 0.35,
      command: { ($0, ["history", $1.mirror, "--format", "ndjson", "--quiet"]) },
      peerCommand: { ("sqlite3", ["-json", $0.mirror, changes]) }),
    Job(
      name: "doctor", peer: "count(*) and total(length(…)) of the same tables", goal: 1.5,
      command: { ($0, ["doctor", $1.mirror, "--json", "--quiet", "--fail-on", "never"]) },
      peerCommand: { ("sqlite3", ["-csv", $0.mirror, try everything(in: $0.mirror)]) }),
    Job(
      name: "pending", peer: "the same joins", goal: 0.5,
      profile: """
        more than half of the samples are in SQLite, which goes through the changes by the index on their transactions \
        and fetches each of them; a sixth is in the kernel.
        """,
      command: { ($0, ["pending", $1.mirror, "--format", "csv", "--quiet"]) },
      peerCommand: { ("sqlite3", ["-csv", $0.mirror, pending]) }),
    // Each run into a new folder, as a finished export is never written over.
    Job(
      name: "export", peer: "sqlite3 -json of the raw table into a file", goal: 0.35,
      profile: """
        a sixth of the samples is the SHA-256 of what is written, for the manifest, which the peer doesn't make.
        """,
      command: {
        shell("rm -rf '\($1.output)'; exec '\($0)' export '\($1.store)' --to '\($1.output)' --quiet")
      },
      peerCommand: { shell("sqlite3 -json '\($0.store)' 'SELECT * FROM ZMEASUREMENT' > '\($0.output).json'") }
    ),
    Job(
      name: "diff", peer: "EXCEPT both ways", goal: 0.5,
      command: { ($0, ["diff", $1.store, $1.later, "--only", "objects", "--json", "--quiet"]) },
      peerCommand: { ("sqlite3", [$0.store, "ATTACH '\($0.later)' AS later; \(except)"]) }),
    Job(
      name: "temporary IDs in text and blobs", peer: "grep -c x-coredata of the file", goal: 1,
      command: {
        let rule = ["--rule", "temporary-object-id", "--fail-on", "never"]
        return ($0, ["doctor", $1.texts, "--json", "--quiet"] + rule)
      },
      // It ends with 1 where it finds nothing.
      peerCommand: { shell("grep -c x-coredata '\($0.texts)' || true") }),
    Job(
      name: "search of a text", peer: "grep -ci of the file", goal: 1,
      command: { ($0, ["search", $1.texts, "nobody wrote this", "--json", "--quiet"]) },
      peerCommand: { shell("grep -ci 'nobody wrote this' '\($0.texts)' || true") }),
  ]

  private static func shell(_ script: String) -> Comparison.Command { (Process.shell, ["-c", script]) }

  // MARK: - SQL of the peers

  private static let except = """
    SELECT * FROM main.ZMEASUREMENT EXCEPT SELECT * FROM later.ZMEASUREMENT;
    SELECT * FROM later.ZMEASUREMENT EXCEPT SELECT * FROM main.ZMEASUREMENT
    """

  private static let authors = """
    SELECT a.ZNAME, COUNT(DISTINCT t.Z_PK), SUM(c.ZCHANGETYPE = 0), SUM(c.ZCHANGETYPE = 1), SUM(c.ZCHANGETYPE = 2),
      MIN(t.ZTIMESTAMP), MAX(t.ZTIMESTAMP)
    FROM ACHANGE c JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID
      LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS GROUP BY a.ZNAME
    """

  private static let changes = """
    SELECT t.Z_PK, t.ZTIMESTAMP, a.ZNAME, c.ZCHANGETYPE, c.ZENTITY, c.ZENTITYPK, c.ZCOLUMNS
    FROM ATRANSACTION t JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK
      LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS ORDER BY t.Z_PK, c.Z_PK
    """

  private static func everything(in path: String) throws -> String {
    let connection = try Connection(path: path, options: .overlay())
    defer { connection.close() }
    let tables = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") { $0.text(0) }
    return try tables.map { table in
      let columns = try connection.columns(of: table).map { "total(length(\(quotedIdentifier($0.name))))" }
      return "SELECT count(*), \(columns.joined(separator: ", ")) FROM \(quotedIdentifier(table));"
    }.joined(separator: "\n")
  }

  /// What is pending and why: flagged records with the first change by the app after their last export, links, objects
  /// changed by the app after the token, objects without a record, records without an object.
  private static let pending = """
    SELECT m.Z_PK, MIN(t.Z_PK), t.ZTIMESTAMP, a.ZNAME FROM ACHANGE c
      JOIN ANSCKRECORDMETADATA m ON m.ZENTITYID = c.ZENTITY AND m.ZENTITYPK = c.ZENTITYPK
      JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID
      LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS
      WHERE m.ZNEEDSUPLOAD = 1 AND c.ZTRANSACTIONID > COALESCE(m.ZLASTEXPORTEDTRANSACTIONNUMBER, 0)
        AND COALESCE(a.ZNAME, '') NOT LIKE 'NSCloudKitMirroringDelegate.%'
      GROUP BY m.Z_PK;
    SELECT ZENTITYID, ZENTITYPK, ZCKRECORDNAME FROM ANSCKRECORDMETADATA WHERE ZNEEDSUPLOAD = 1;
    SELECT COUNT(*) FROM ANSCKMIRROREDRELATIONSHIP WHERE COALESCE(ZISUPLOADED, 0) = 0 OR ZNEEDSDELETE = 1;
    SELECT c.ZENTITY, c.ZENTITYPK, MIN(t.Z_PK), MIN(t.ZTIMESTAMP), a.ZNAME FROM ATRANSACTION t
      JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK
      LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS
      LEFT JOIN ANSCKRECORDMETADATA m ON m.ZENTITYID = c.ZENTITY AND m.ZENTITYPK = c.ZENTITYPK
      WHERE t.Z_PK > (SELECT MAX(Z_PK) - (SELECT COUNT(*) FROM ZITEM) / 1000 FROM ATRANSACTION)
        AND COALESCE(a.ZNAME, '') NOT LIKE 'NSCloudKitMirroringDelegate.%' AND COALESCE(m.ZNEEDSUPLOAD, 0) = 0
      GROUP BY c.ZENTITY, c.ZENTITYPK;
    SELECT r.Z_ENT, r.Z_PK FROM ZITEM r LEFT JOIN ANSCKRECORDMETADATA m
      ON m.ZENTITYID = r.Z_ENT AND m.ZENTITYPK = r.Z_PK WHERE m.Z_PK IS NULL;
    SELECT COUNT(*) FROM ANSCKRECORDMETADATA m LEFT JOIN ZITEM r ON r.Z_PK = m.ZENTITYPK WHERE r.Z_PK IS NULL;
    """
}
