import QueryCatalog
import SystemCalls
import Values

/// The queries that can be called by name: the user's own first, then those that came along.
enum SavedQueries {
  static var folder: String { Configuration.folder + "/queries" }

  static func all() throws -> [SavedQuery] {
    let own = try ownQueries()
    let names = Set(own.map(\.name))
    return own + QueryCatalog.all.filter { !names.contains($0.name) }
  }

  private static func ownQueries() throws -> [SavedQuery] {
    guard FileReader.kind(of: folder) == .folder else { return [] }
    return try FileReader.names(in: folder).sorted().filter { $0.hasSuffix(".sql") }.map { name in
      let bytes = try FileReader.bytes(of: folder + "/" + name, limit: 1 << 20)
      return SavedQuery(name: String(name.dropLast(4)), sql: String(decoding: bytes, as: UTF8.self))
    }
  }
}
