import Lens
import SQLite
import StoreModel

/// Keeps the share that history has of the file, which says whether there is too much of it: marks are shorter than most
/// of what they stand for, history's numbers are as long as before.
struct FileSizeCopy {
  /// Less history than that is never too much.
  private static let leastHistory: Int64 = 5_000_000
  private static let piece: Int64 = 1 << 26
  private static let history: [FrameworkTable] = [.changes, .transactions, .transactionStrings]

  /// Adds free pages of zeros to a copy that is too small. Inside of its transaction, where such pages aren't even
  /// written one by one.
  static func adjust(_ target: Connection, to source: Connection) throws {
    guard let before = try BTreePages.bytes(of: history, in: source), before >= leastHistory,
      let after = try BTreePages.bytes(of: history, in: target)
    else { return }
    let wanted = Double(after) / Double(before) * Double(try bytes(source))
    var missing = Int64(wanted) - (try bytes(target))
    guard missing > 0 else { return }
    try target.execute("CREATE TABLE main.\"storescope free pages\" (content BLOB)")
    while missing > 0 {
      try target.execute(
        "INSERT INTO main.\"storescope free pages\" VALUES (zeroblob(?))", [.integer(min(missing, piece))])
      missing -= piece
    }
    try target.execute("DROP TABLE main.\"storescope free pages\"")
  }

  private static func bytes(_ connection: Connection) throws -> Int64 {
    let pages = try connection.first("PRAGMA main.page_count") { $0.integer(0) } ?? 0
    return pages * (try connection.first("PRAGMA main.page_size") { $0.integer(0) } ?? 0)
  }
}
