import Archives
import SystemCalls
import Values

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
