import Base
import Evidence

/// Where the stores are that an assistant names. One that is in an archive or a backup is taken out once, and again when
/// that has changed; the copies go with this value.
final class AssistantSources {
  private struct Extracted {
    let address: Address
    let state: FileState
    let source: StoreSource
  }

  /// As many as there is room for on any disk.
  static let most = 4

  /// The one used last is the last.
  private var extracted: [Extracted] = []

  func source(of path: String) throws -> StoreSource {
    let address = Address(path)
    let file = StoreSource.file(of: path)
    let container = DeviceBackup.isBackup(file) ? "\(file)/\(DeviceBackup.name)" : file
    let state = FileState(container)
    if let index = extracted.firstIndex(where: { $0.address == address && $0.state == state }) {
      let known = extracted.remove(at: index)
      extracted.append(known)
      return known.source
    }
    extracted.removeAll { $0.address == address }
    let source = try StoreSource(path)
    // Not if a folder was named, where another archive may appear, nor for the older lists of backups.
    if source.container == container, let state {
      extracted.removeFirst(max(0, extracted.count - Self.most + 1))
      extracted.append(Extracted(address: address, state: state, source: source))
    }
    return source
  }
}

/// What shows that a file isn't the one that was read, or has changed.
private struct FileState: Equatable {
  let identity: FileIdentity
  let size: Int64
  let modified: Int64

  /// Nil for a file that isn't there.
  init?(_ path: String) {
    guard let status = FileStatus(path) else { return nil }
    (identity, size, modified) = (status.identity, status.size, status.modified)
  }
}
