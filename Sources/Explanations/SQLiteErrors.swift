/// The result codes of SQLite that apps meet, which Core Data reports in this domain.
enum SQLiteErrors {
  static let domain = "NSSQLiteErrorDomain"

  static let all = Explanation.errors(of: domain, PackageResources.sqlite_txt) { _ in
    ["https://www.sqlite.org/rescode.html"]
  }

  /// An extended code has its primary code in the lower 8 bits, https://www.sqlite.org/rescode.html
  static func primary(_ code: Int) -> Int { code > 0xFF ? code & 0xFF : code }
}
