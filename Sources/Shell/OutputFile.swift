import Commands
import SystemCalls
import Values

/// A file that results go to.
final class OutputFile {
  let path: String
  private let store: String?
  private let appends: Bool
  private var file: OpenFile?

  /// Opens nothing yet: a command that fails before it prints anything leaves the file as it was.
  /// - Parameters:
  ///   - store: the store that is open, none of whose files is ever written.
  ///   - appends: whether what is in the file stays.
  init(_ path: String, keeping store: String?, appends: Bool = false) throws {
    (self.path, self.store, self.appends) = (path, store, appends)
    try checkPlace()
  }

  /// Whether results may go there as things are.
  private func checkPlace() throws {
    try StoreFileGuard.check(path, keeping: store)
    guard !isSpecial, let status = FileStatus(ofLink: path) else { return }
    // What is written would end up, or be missed, elsewhere.
    if status.kind == .link { throw refusal("is a link", advice: "name the file that it leads to") }
    try check(status)
  }

  /// A pipe or a device is written to as it is.
  private var isSpecial: Bool { FileReader.kind(of: path) == .other }

  /// Opens the file the first time.
  func descriptor() throws -> Int32 {
    if let file { return file.descriptor }
    let opened = try open()
    file = opened
    return opened.descriptor
  }

  private func open() throws -> OpenFile {
    if isSpecial { return try OpenFile(special: path).orThrow(unwritable) }
    let rights = store.map(FileRights.init(like:)) ?? .ordinary
    guard appends else {
      // Minutes may have passed since it was looked at.
      return try FileWriter.begin(path, rights: rights, check: checkPlace)
    }
    let file = try OpenFile(path, for: .appending, rights: rights).orThrow(unwritable)
    // Something else may bear the name since it was looked at.
    guard let status = file.status else { throw unwritable }
    try check(status)
    try StoreFileGuard.check(status, at: path, keeping: store)
    return file
  }

  private func check(_ status: FileStatus) throws {
    guard status.kind == .file else { throw refusal("isn't a file", advice: "choose another name") }
    guard status.names < 2 else {
      throw refusal("has other names (hard links)", advice: "choose another file")
    }
  }

  private func refusal(_ problem: String, advice: String) -> StoreScopeError {
    StoreScopeError(.refused, path, "\(problem), so results aren't written to it", advice: advice)
  }

  private var unwritable: StoreScopeError {
    .unwritable(path, Platform.lastError(), advice: "choose another file")
  }

  var isOpen: Bool { file != nil }

  func close() { file?.close() }
}

extension Optional {
  fileprivate func orThrow(_ error: @autoclosure () -> StoreScopeError) throws -> Wrapped {
    guard let self else { throw error() }
    return self
  }
}
