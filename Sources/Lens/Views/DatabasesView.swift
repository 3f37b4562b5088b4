package import Archives
package import Base
import SQLite

/// One CloudKit database that the store is mirrored to.
package struct MirrorDatabase: HasFields, Sendable, Equatable {
  package var primaryKey: Int64
  package var name: String?
  package var rawScope: Int64?
  package var hasSubscription: Bool
  package var changeToken: ChangeTokenState
  package var lastFetch: CoreDataDate?

  package static let fields: [Field<Self>] = [
    Field("name", "its name") { $0.name },
    Field("scope", "public, private or shared") { $0.scope },
    Field("hasSubscription", "the server announces changes") { $0.hasSubscription },
    Field("hasToken", "the place in the server's changes is known") { $0.changeToken.isPresent },
    Field("token", ChangeTokenState.shape, "the size of that place's archive") { $0.changeToken.value },
    Field("lastFetch", "when it was last fetched") { $0.lastFetch },
  ]

  package var scope: DatabaseScope? { rawScope.flatMap(DatabaseScope.init(rawValue:)) }
}

/// Which of a container's databases: https://developer.apple.com/documentation/cloudkit/ckdatabase/scope
package enum DatabaseScope: Int64, FieldValue, Sendable, CaseIterable {
  case `public` = 1
  case `private` = 2
  case shared = 3

  package var name: String {
    switch self {
    case .public: "public"
    case .private: "private"
    case .shared: "shared"
    }
  }

  package static let shape = Shape.words(allCases.map(\.name))
  package var fieldValue: DataValue? { .text(name) }

  init?(name: String) {
    guard let scope = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = scope
  }
}

/// What stands where a server change token is kept.
package enum ChangeTokenState: Sendable, Equatable {
  /// Nothing: the next fetch starts from the beginning.
  case none
  case token(ServerChangeToken)
  /// Bytes that are no such archive: their number, and why not.
  case unreadable(bytes: Int, because: String)

  init(_ bytes: [UInt8]?) {
    guard let bytes else {
      self = .none
      return
    }
    do throws(ArchiveError) {
      self = .token(try ServerChangeToken(archive: bytes))
    } catch {
      self = .unreadable(bytes: bytes.count, because: error.description)
    }
  }

  package var isPresent: Bool { self != .none }

  package static let shape = Shape.object([
    .init("bytes", .integer, "of the token", if: "it can be read"),
    .init("archiveBytes", .integer, "of the archive that it is in"),
    .init("problem", .text, "why it can't be read", if: "it can't be"),
  ]).orNull

  /// A change token's content is CloudKit's own business; only its presence and its size are known.
  package var value: DataValue {
    switch self {
    case .none: .null
    case .token(let token): ["bytes": .count(token.bytes.count), "archiveBytes": .count(token.archiveBytes)]
    case .unreadable(let bytes, let why): ["archiveBytes": .count(bytes), "problem": .text(why)]
    }
  }
}

extension MirrorViews {
  /// One row per CloudKit database.
  package var databases: View? {
    guard tables.has(.databases) else { return nil }
    let keys = MirrorDatabase.fields.keys()
    func column(_ name: String) -> String { tables.sql(.databases, name, "d") }
    let token = column("ZCURRENTCHANGETOKEN")
    return View(
      "databases", rows: "CloudKit database that the store is mirrored to",
      [
        .init("name", of: keys, column("ZDATABASENAME")).named(.zone),
        .init("scope", of: keys, Self.scopeName(column("ZDATABASESCOPENUM"))).open,
        .init("hasSubscription", of: keys, tables.flag(.databases, "ZHASSUBSCRIPTIONNUM", "d")).open,
        .init("hasToken", of: keys, "\(token) IS NOT NULL").open,
        .init("token", of: keys, "change_token(\(token))"),
        .init("lastFetch", of: keys, column("ZLASTFETCHDATE")).open,
        .init("row", .integer, "the key of the mirror's row", "d.Z_PK").open,
        .init(
          "scopeNumber", .integer, "the raw value of the scope", column("ZDATABASESCOPENUM"), isShown: false),
        .init("tokenArchive", .blob, "the token as it stands", token, isShown: false),
      ], from: "main.ANSCKDATABASEMETADATA d")
  }
}

extension MirrorDatabase {
  /// A store has one; the limit is for made-up ones.
  private static let limit = 1_000

  private enum Column: Int, ReadColumn {
    case row, name, scopeNumber, hasSubscription, tokenArchive, lastFetch
  }

  static func read(_ connection: Connection, _ views: MirrorViews) throws -> [MirrorDatabase] {
    guard let view = views.databases else { return [] }
    return try connection.rows(view.select(Column.names, "ORDER BY \"row\" LIMIT \(limit)")) { row in
      MirrorDatabase(
        primaryKey: row.integer(Column.row), name: row.optionalName(Column.name),
        rawScope: row.optionalInteger(Column.scopeNumber),
        hasSubscription: row.flag(Column.hasSubscription),
        changeToken: ChangeTokenState(row.optionalBytes(Column.tokenArchive)),
        lastFetch: row.date(Column.lastFetch))
    }
  }
}
