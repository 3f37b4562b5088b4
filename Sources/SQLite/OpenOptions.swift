import Base
import CSQLite

/// How a `Connection` is opened.
package struct OpenOptions: Sendable {
  package enum Access: Sendable, Equatable {
    case readOnly
    case readWrite(create: Bool)
  }

  package var access: Access
  /// Query parameters of the file's URI, https://www.sqlite.org/uri.html
  package var parameters: [(name: String, value: String)]
  /// The name of a registered VFS; the system's default one where nil.
  package var vfs: String?
  /// How long a statement waits for another connection's lock.
  package var busyTimeoutMilliseconds: Int32
  /// Whether the schema may call every SQL function, and shadow tables may be written. Only for stores that
  /// we made ourselves: https://www.sqlite.org/security.html
  package var trustsSchema = false
  /// Whether the -wal and its index stay when the connection closes, even where it is the last one.
  package var keepsWAL = false
  /// Whether the schema's triggers, views and foreign keys take effect. Without them a statement changes the rows that it
  /// names and no others: https://www.sqlite.org/c3ref/c_dbconfig_defensive.html
  package var runsSchemaCode = true

  /// Whether values, memory and time are bounded, as a stranger's schema needs it. Always so if files are only read.
  package var limitsCosts: Bool {
    get { access == .readOnly || overlay != nil || boundsWriting }
    set { boundsWriting = newValue }
  }
  private var boundsWriting = false

  /// Whether files are only read, and what is written stays in memory; nil opens the files themselves.
  package var overlay: Overlay?

  /// A copy-on-write view of the store: SQLite may do whatever it likes, no file changes, and the changes are
  /// gone when the connection is. It takes no locks, so whoever reads through it next to a writer must see to it
  /// that nothing moved meanwhile. Not to be used next to an ordinary connection of this process to the same file,
  /// whose locks would fall when the overlay closes: https://www.sqlite.org/howtocorrupt.html
  package struct Overlay: Sendable {
    /// Where the -wal ends for this connection, in bytes; nil for its real end, 0 for a store without one.
    package var walLimit: Int64?

    /// A shorter main file looks as if zeros followed up to this many bytes; nil for its real end.
    package var minimumMainSize: Int64?

    /// The only files that there are for this connection; nil looks for them by their names.
    package var files: Files?
  }

  /// Files that are open already: whatever a journal says, SQLite can't open, look for or delete any other.
  /// https://www.sqlite.org/fileformat2.html#the_rollback_journal
  package struct Files: Sendable {
    package var main: Int32
    package var wal: Int32?
    package var journal: Int32?
    /// Whether what SQLite writes to the main file goes there, and not to memory.
    package var writesMain: Bool

    package init(main: Int32, wal: Int32? = nil, journal: Int32? = nil, writesMain: Bool = false) {
      self.main = main
      self.wal = wal
      self.journal = journal
      self.writesMain = writesMain
    }
  }

  package init(
    _ access: Access, parameters: [(name: String, value: String)] = [], vfs: String? = nil,
    trustsSchema: Bool = false,
    busyTimeoutMilliseconds: Int32 = 2000
  ) {
    self.access = access
    self.parameters = parameters
    self.vfs = vfs
    self.trustsSchema = trustsSchema
    self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
  }

  package static let readOnly = OpenOptions(.readOnly)

  /// A view in memory over files that are only read; see `Overlay`.
  package static func overlay(walLimit: Int64? = nil, minimumMainSize: Int64? = nil) -> OpenOptions {
    var options = OpenOptions(.readWrite(create: false))
    options.overlay = Overlay(walLimit: walLimit, minimumMainSize: minimumMainSize)
    return options
  }

  /// A connection that knows open files and no others; its path is a name only. No trigger runs.
  package static func confined(to files: Files) -> OpenOptions {
    var options = overlay()
    options.overlay?.files = files
    options.runsSchemaCode = false
    return options
  }

  package static func readWrite(create: Bool = false) -> OpenOptions {
    OpenOptions(.readWrite(create: create))
  }

  /// `path` and the parameters as a URI. Everything but the plainest characters is percent-encoded, so that no
  /// file name can add a parameter of its own.
  func uri(of path: String) -> String {
    // With an absolute path an empty authority is written out, else a path of `//a/b` would name a host.
    var uri = path.hasPrefix("/") ? "file://" : "file:"
    uri += path.percentEncoded(keepingSlashes: true)
    for (index, parameter) in parameters.enumerated() {
      uri += index == 0 ? "?" : "&"
      uri += "\(parameter.name.percentEncoded())=\(parameter.value.percentEncoded())"
    }
    return uri
  }
}
