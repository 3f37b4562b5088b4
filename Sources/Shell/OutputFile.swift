import Commands
import SystemCalls
import Values

/// A file that results go to.
final class OutputFile {
  let path: String
  private let file: OpenFile

  /// Empties the file; a pipe or a device is written to as it is.
  /// - Parameters:
  ///   - store: the store that is open, none of whose files is ever written.
  ///   - appends: whether what is in the file stays.
  init(_ path: String, keeping store: String?, appends: Bool = false) throws {
    self.path = path
    try StoreFileGuard.check(path, keeping: store)
    guard FileReader.kind(of: path) == .other else {
      let rights = store.map(FileRights.init(like:)) ?? .ordinary
      guard appends else {
        file = try FileWriter.begin(path, rights: rights)
        return
      }
      guard let file = OpenFile(path, for: .appending, rights: rights) else {
        throw StoreScopeError.unwritable(path, Platform.lastError(), advice: "choose another file")
      }
      self.file = file
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
