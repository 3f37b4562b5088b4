import Containers
import Evidence
import SystemCalls
import Values

/// Where the stores are that an assistant names. One that is in an archive or a backup is taken out once, and again when
/// that has changed; the copies go with this value.
final class AssistantSources {
  private struct Extracted {
    let address: Address
    let state: [FileState]
    let source: StoreSource
  }

  /// As many as there is room for on any disk.
  static let most = 4

  private var extracted = RecentlyUsed<Extracted>(most: most)

  func source(of path: String) throws -> StoreSource {
    let address = Address(path)
    let file = StoreSource.file(of: path)
    let container = DeviceBackup.isBackup(file) ? "\(file)/\(DeviceBackup.name)" : file
    let state = FileState.of([container])
    if let known = extracted.first(where: { $0.address == address && $0.state == state }) {
      return known.source
    }
    extracted.removeAll { $0.address == address }
    let source = try StoreSource(path)
    // Not if a folder was named, where another archive may appear, nor for the older lists of backups.
    if source.container == container, !state.isEmpty {
      extracted.add(Extracted(address: address, state: state, source: source))
    }
    return source
  }
}

/// What shows that a file isn't the one that was read, or has changed.
struct FileState: Equatable {
  private let identity: FileIdentity
  private let size: Int64
  private let modified: Int64

  /// Of those that are there.
  static func of(_ files: [String]) -> [FileState] {
    files.compactMap { path in
      FileStatus(path).map { FileState(identity: $0.identity, size: $0.size, modified: $0.modified) }
    }
  }
}
