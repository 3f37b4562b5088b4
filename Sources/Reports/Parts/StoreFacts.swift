package import Base
import Evidence
package import Lens
package import Rendering
import StoreModel

/// What the store is: files, journal, model, framework.
package struct StoreFacts: HasFields {
  /// One of its files, before the store was read and after.
  package struct File: HasFields, Equatable {
    /// `store`, `wal`, `shm` or `journal`; `container` for what the store was taken out of.
    package var role: String
    package var bytes: Int64
    package var sha256: String
    /// Nil until it was looked at again, and where it is gone then.
    package var sha256After: String?

    /// A file that isn't open.
    package init(role: String, at path: String) throws {
      let measure = try FileReader.fingerprint(of: path)
      self.role = role
      (bytes, sha256) = (measure.bytes, measure.sha256)
    }

    package static let fields: [Field<Self>] = [
      Field("file", .words(["store", "wal", "shm", "journal", "container"]), "the file") { $0.role },
      Field("bytes", "its size") { $0.bytes }, Field("sha256", .hash, "its hash") { $0.sha256 },
      Field("sha256After", .hash, "its hash after everything was read") { $0.sha256After },
      Field("unchanged", "whether the two are the same") { $0.sha256 == $0.sha256After },
    ]
  }

  package var identity: StoreIdentity
  /// `Core Data` or `SwiftData`.
  package var framework: String
  /// `iOS 26/macOS 26 (1526)`: whose framework wrote it last; nil if it doesn't say.
  package var system: String?
  package var model: String
  package var modelIdentifiers: [String]
  package var journal: String
  package var pageSize: Int
  package var bytes: Int64
  package var walBytes: Int64
  package var walCommits: Int
  package var openedBy: String
  package var notes: [String]
  package var files: [File] = []

  package init(_ open: OpenStore, _ privacy: ReportPrivacy) throws {
    let store = open.store
    let opened = try open.bytes()
    identity = StoreIdentity(
      path: privacy.mask(store.path, .path), uuid: privacy.mask(store.metadata.uuid, .store),
      frameworkVersion: store.metadata.frameworkVersion, isRedacted: store.isRedacted)
    framework = store.framework
    system = store.metadata.frameworkVersion.map(FrameworkRelease.text)
    model =
      switch store.modelSource {
      case .cache: "the store’s own"
      case .file: "a given file"
      case .tables(let because): "guessed from the tables, as Z_MODELCACHE is \(because)"
      }
    modelIdentifiers = store.versionIdentifiers
    let wal = try opened.walIndex()
    journal = opened.files.header.usesWAL ? "WAL" : "rollback journal"
    pageSize = opened.files.header.pageSize
    bytes = opened.files.main.size
    walBytes = opened.files.wal?.size ?? 0
    walCommits = wal?.commits.count ?? 0
    openedBy = opened.way.description
    notes = (opened.warnings + store.notes).map(privacy.sentence)
  }

  package var areFilesUnchanged: Bool { files.allSatisfy { $0.sha256 == $0.sha256After } }

  package static let fields: [Field<Self>] = [
    Field("framework", "Core Data or SwiftData") { $0.framework },
    Field("system", "the system whose framework wrote it last") { $0.system },
    Field("model", "the source of the model") { $0.model },
    Field("modelIdentifiers", "the model's version identifiers") { $0.modelIdentifiers },
    Field("journal", "how SQLite keeps the file consistent") { $0.journal },
    Field("pageSize", "bytes of a page") { $0.pageSize },
    Field("bytes", "the size of the main file") { $0.bytes },
    Field("walBytes", "the size of the -wal file") { $0.walBytes },
    Field("walCommits", "commits in it") { $0.walCommits },
    Field("openedBy", "how it was opened") { $0.openedBy },
    Field("notes", "what is odd about it, one sentence each") { $0.notes },
    Field("hashes", "the files before and after") { $0.files },
  ]

  // MARK: - Hashes

  /// The store's files with their hashes. The store must not be open: see `FileReader.fingerprint`.
  package static func files(of path: String, progress: (String) -> Void) throws -> [File] {
    let files = try StoreFiles(path: path)
    let parts = [
      ("store", files.resolvedPath, true), ("wal", files.walPath, files.wal != nil),
      ("shm", files.shmPath, files.shm != nil), ("journal", files.journalPath, files.journal != nil),
    ]
    return try parts.filter(\.2).map { role, path, _ in
      progress("hashing the \(role == "store" ? "store" : "-" + role)")
      return try File(role: role, at: path)
    }
  }

  /// Takes the hashes of a second look.
  package mutating func compare(before: [File], after: [File]) {
    files = before.map { file in
      var file = file
      file.sha256After = after.first { $0.role == file.role }?.sha256
      return file
    }
  }
}

/// What a report says of the file's parts.
extension StoreSize {
  static let reportFields: [Field<StoreSize>] = [
    Field("freeBytes", "free pages") { $0.freeBytes },
    Field("tables", .list(.object(tableFields.keys())), "tables with their sizes") {
      $0.tables.map(tableFields.object)
    },
  ]

  private static let tableFields: [Field<Table>] = [
    Field("table", "the table") { $0.name }, Field("entities", "its entities") { $0.entities },
    Field("group", "what it is for") { $0.group }, Field("bytes", "its size") { $0.bytes },
    Field("indexBytes", "the size of its indexes") { $0.indexBytes },
  ]
}
