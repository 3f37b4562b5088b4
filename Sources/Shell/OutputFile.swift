import Commands
import SystemCalls
import Values

/// A file that results go to.
final class OutputFile {
  let path: String
  private let file: OpenFile

  /// Begins the file anew; a pipe or a device is written to as it is.
  /// - Parameter store: the store that is open, none of whose files is ever written.
  init(_ path: String, keeping store: String?) throws {
    self.path = path
    try StoreFileGuard.check(path, keeping: store)
    guard FileReader.kind(of: path) == .other else {
      file = try FileWriter.begin(path, rights: store.map(FileRights.init(like:)) ?? .ordinary)
      return
    }
    guard let file = OpenFile(special: path) else {
      throw StoreScopeError.unwritable(path, Platform.lastError(), advice: "choose another file")
    }
    self.file = file
  }

  var descriptor: Int32 { file.descriptor }

  func close() { file.close() }
}
