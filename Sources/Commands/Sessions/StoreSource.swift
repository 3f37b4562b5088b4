import Archives
import Base
import Discovery
package import Evidence
import Rendering
import Reports

/// A store as somebody named it: a path, a `file://` URL, an address inside a container, or a folder or container with one
/// store in it. What has to be taken out of a container is, once, and stays as long as this value.
package final class StoreSource {
  /// As sentences and results call it.
  package let path: String
  /// Where its file is.
  package let location: String
  /// Whether a folder or a container was named that has one store: people didn't say which one it is.
  let wasSearchedFor: Bool
  /// Of an encrypted backup, for another store in it.
  let password: BackupPassword?
  private let extracted: ExtractedStore?
  /// Whose it is, as far as its place shows.
  private(set) lazy var keeper = StoreKeeper(of: path)
  package var ownerName: String? { keeper.owner.name }

  /// - Throws: `StoreScopeError` if it names several stores or none. A path to a file that can't be read is left to whoever
  ///   opens it.
  package init(
    _ named: String, password: BackupPassword? = nil, progress: @escaping (String) -> Void = { _ in }
  ) throws {
    self.password = password
    let named = try Self.plain(named)
    let inBackup = try DeviceBackup.address(ofFile: named, password: password)?.description
    let place = try StoreLookup.place(inBackup ?? named, password, progress)
    guard let address = StoreAddress(place) else {
      (path, location, extracted, wasSearchedFor) = (place, place, nil, place != named)
      return
    }
    Self.watch()
    var store: ExtractedStore?
    var problem = StoreScopeError(.foreign, place, "holds no store of Core Data or SwiftData")
    do { store = try ExtractedStore(address, password: password, progress: progress) } catch let error
      as StoreScopeError where error.kind == .notFound
    {
      problem = error
    }
    if let path = store?.path, StoreLookup.isArchive(path) { store = nil }
    // A folder or an archive in the container stands for its store as any does.
    let extracted =
      try store
      ?? ExtractedStore(
        StoreLookup.only(in: address, instead: problem, password, progress), password: password,
        progress: progress)
    path = store == nil ? extracted.address.description : place
    wasSearchedFor = path != named
    (location, self.extracted) = (extracted.path, extracted)
  }

  /// A store's own path.
  package init(at path: String) {
    (self.path, location, password, extracted, wasSearchedFor) = (path, path, nil, nil, false)
  }

  /// A copy, which sentences and results call as its original is called.
  init(at location: String, calling path: String) {
    (self.path, self.location, password, extracted, wasSearchedFor) = (path, location, nil, nil, false)
  }

  /// Whatever ends the program, no copy stays.
  static func watch() {
    if !Interruption.isWatched { Interruption.watch() }
  }

  /// What may be missing of what was taken out of a container, a sentence; nil if nothing is.
  var warning: String? { extracted?.warning }

  /// Whether it is inside a container, where nothing can be changed.
  package var isExtracted: Bool { extracted != nil }

  /// The file that it was taken out of, or the list of a backup's files; nil if it wasn't.
  var container: String? { extracted?.containerFile }

  /// The command that copies what is inside a container out of it, to a folder that isn't there yet.
  package var commandToCopyOut: String {
    let name = Self.folderName(for: Platform.fileName(path))
    let folder = (1...).lazy.map { $0 == 1 ? name : "\(name)-\($0)" }.first { !Files.exists($0) } ?? name
    let password = extracted?.isEncrypted == true ? " --password" : ""
    return "storescope find \(ShellQuotes.word(path)) --copy-to \(ShellQuotes.word(folder))\(password)"
  }

  /// What a folder for the copy of a store may be called, after the store's file or whom it belongs to. By bytes, as the
  /// system takes paths: see `PathText`.
  static func folderName(for file: String, owner: String? = nil) -> String {
    let (slash, dot, replacement) = (UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"))
    func usable(_ name: String) -> String? {
      let bytes = name.utf8.map { $0 == slash || $0 == 0 ? replacement : $0 }
      return bytes.isEmpty || [dot, UInt8(ascii: "-")].contains(bytes[0])
        ? nil : String(decoding: bytes, as: UTF8.self)
    }
    let stem = file.utf8.lastIndex(of: dot).map { file.utf8[..<$0] } ?? file.utf8[...]
    return owner.flatMap(usable) ?? usable(String(Substring(stem))) ?? "store"
  }

  /// What on this machine has what was named: the file itself, or the container.
  package static func file(of named: String) -> String {
    let path = (try? plain(named)) ?? named
    return StoreAddress(path)?.container ?? path
  }

  /// A path or an address; of a container, whether or not the `!/` follows that completion puts there.
  static func plain(_ text: String) throws -> String {
    let path = try withoutScheme(text)
    return StoreAddress.container(allOf: path) ?? path
  }

  private static func withoutScheme(_ text: String) throws -> String {
    guard text.lowercased().hasPrefix("file:/") else { return text }
    guard let path = FileURL.path(text) else {
      throw StoreScopeError(
        .invalid, text, "isn't the URL of a file on this machine", advice: "pass its path")
    }
    return path
  }

  // MARK: - Chain of custody

  /// What was copied out of a container, a sentence each.
  func notes() throws -> [String] {
    guard let extracted else { return [] }
    let container = try FileReader.fingerprint(of: extracted.containerFile)
    return ["\(extracted.containerFile): \(Self.text(container))"]
      + (try extracted.members.map {
        "copied \($0.path) out of its container: \(Self.text(try extracted.measure($0.part)))"
      })
  }

  private static func text(_ measure: FileCopy.Measure) -> String {
    "\(Sentence.size(measure.bytes)), SHA-256 \(measure.sha256)"
  }

  /// The store's files with their hashes, and the container with its own. The store must not be open.
  func files(_ progress: (String) -> Void) throws -> [StoreFacts.File] {
    let files = try StoreFacts.files(of: location, progress: progress)
    guard let extracted else { return files }
    progress("hashing the container")
    return [try StoreFacts.File(role: "container", at: extracted.containerFile)] + files
  }
}

/// `file:///Users/ada/My%20App.store`, as Xcode and Finder give paths. https://www.rfc-editor.org/rfc/rfc8089
private enum FileURL {
  static func path(_ url: String) -> String? {
    var path = url.dropFirst("file:".count)
    if path.hasPrefix("//") {
      path = path.dropFirst(2)
      if path.lowercased().hasPrefix("localhost/") { path = path.dropFirst("localhost".count) }
    }
    guard path.hasPrefix("/") else { return nil }
    var bytes: [UInt8] = []
    var index = path.utf8.startIndex
    while index < path.utf8.endIndex {
      let byte = path.utf8[index]
      index = path.utf8.index(after: index)
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let end = path.utf8.index(index, offsetBy: 2, limitedBy: path.utf8.endIndex),
        let digits = String(path.utf8[index..<end]), let value = UInt8(digits, radix: 16), value != 0
      else { return nil }
      bytes.append(value)
      index = end
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
