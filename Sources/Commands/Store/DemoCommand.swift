import Archives
import Base

extension Command {
  static let demo = Command(
    "demo", summary: "create the built-in demo store and open it", store: .none,
    arguments: [
      .init(
        "DIRECTORY", kind: .folder, isOptional: true,
        help: "the folder to create it in (default: a folder for temporary files)")
    ],
    printsRows: false,
    discussion: """
      The store belongs to a small fictional app. It has sub-entities, ordered and many-to-many relationships, history
      by several authors, and commits that are still only in the WAL. If the demo store already exists, it's opened
      unchanged: in the shell on a terminal; otherwise its summary is printed.
      """
  ) { invocation in
    let folder = invocation.argument(0) ?? defaultFolder
    if FileReader.kind(of: folder) == .file {
      throw UsageError.conflict(
        "'\(folder)' is a file, and 'demo' takes a folder, in which it makes \(EmbeddedDemo.fileName). Without one, it makes a folder for temporary files."
      )
    }
    let path = folder + "/" + EmbeddedDemo.fileName
    if FileReader.kind(of: path) == nil {
      try StoreFileGuard.checkNewStore(path)
      try EmbeddedDemo.write(to: folder)
    }
    invocation.note("the demo store is \(path)")
    if invocation.opensShell { return .shell(ShellRequest(storePath: path)) }
    let session = Session(path: path)
    let document = try StoreSummary(session, progress: invocation.progress)
      .document(showsCommits: false, showsMetadata: false)
    try session.finish()
    return Outcome(document)
  }

  private static var defaultFolder: String {
    "\(Platform.temporaryFolder)/storescope-demo-\(Platform.userID())"
  }
}

/// The built-in demo: the store of a travel journal after a spring of use by an app, its widget and its importer, with
/// its last commits in the WAL. A test forges it and compares the bytes.
enum EmbeddedDemo {
  static let fileName = "Journeys.store"

  /// The content of each file by its path in the folder.
  static func files() throws(ArchiveError) -> [(path: String, bytes: [UInt8])] {
    let list = try BinaryPropertyList.read(Inflate.raw(Base64.decode(packed) ?? [], limit: 4 << 20))
    return (list.dictionary?.entries ?? []).map { ($0.key, $0.value.data ?? []) }
  }

  /// Writes them into a folder, which is made if it isn't there.
  /// - Throws: `StoreScopeError` if one of them exists, or can't be written.
  static func write(to folder: String) throws {
    try Files.makeFolder(folder, mode: 0o755)
    for file in try files() {
      let path = "\(folder)/\(file.path)"
      if let parent = PathText.split(path).folder { try Files.makeFolder(parent, mode: 0o755) }
      try FileWriter.write(to: path, replacing: false) { $0.bytes(file.bytes) }
    }
  }
}
