internal import Values

/// Where values too large for their row go: a hidden folder beside the store, a file of its own for each,
/// named by a UUID. Layout as measured on stores and reported by apps' authors.
struct ExternalFileWriter {
  let folder: String
  private let seed: String
  private var count = 0

  init(storePath: String, uuid: String) {
    let slash = storePath.lastIndex(of: "/").map { storePath.index(after: $0) } ?? storePath.startIndex
    let file = storePath[slash...]
    let name = file.lastIndex(of: ".").map { file[..<$0] } ?? file
    folder = "\(storePath[..<slash]).\(name)_SUPPORT/_EXTERNAL_DATA"
    seed = uuid
  }

  /// Writes the file; returns its name. Names are the same in every run.
  mutating func add(_ bytes: [UInt8]) throws -> String {
    count += 1
    var hash = SHA256()
    Array("\(seed) \(count)".utf8).withUnsafeBytes { hash.update($0) }
    let digest = Array(hash.finish().prefix(16))
    guard let name = digest.withUnsafeBytes({ Hexadecimal.uuid($0) }) else { return "" }
    try Files.makeFolder(folder, mode: 0o755)
    try Files.write(bytes, to: "\(folder)/\(name)")
    return name
  }

  func remove(_ name: String) { Files.remove("\(folder)/\(name)") }
}
