import Archives
package import Base
import Synchronization

/// Files in which Core Data keeps large values, next to the store.
///
/// A store `App.store` has them in `.App_SUPPORT/_EXTERNAL_DATA`, and file-backed futures in `.App_SUPPORT/_FBF`.
package struct ExternalFiles: Sendable, Equatable {
  /// `.App_SUPPORT`, with its path.
  package let supportFolder: String
  private let folder: String
  private let supportName: String
  private let readings = Readings()
  /// A value is read up to this size.
  private static let limit = 256 << 20

  package init(storePath: String) {
    let (before, name) = PathText.split(storePath)
    let support = SideFiles.supportFolder(of: name)
    supportName = support
    supportFolder = before.map { "\($0)/\(support)" } ?? support
    folder = before.map { $0.isEmpty ? "/" : $0 } ?? ""
  }

  package static func == (one: ExternalFiles, other: ExternalFiles) -> Bool {
    one.supportFolder == other.supportFolder
  }

  package enum Kind: String, Sendable, CaseIterable {
    case externalData = "_EXTERNAL_DATA"
    case fileBackedFuture = "_FBF"
  }

  /// From the store's folder: the store itself may be a copy, elsewhere than its user thinks of it.
  func relativePath(of name: String, _ kind: Kind) -> String { "\(supportName)/\(kind.rawValue)/\(name)" }

  /// Whether a name that comes out of the store stays inside the folder.
  package static func isFileName(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }

  /// The file, or the folder where `name` is nil. Links are not followed.
  package func file(_ name: String?, _ kind: Kind) -> ContainedFile {
    ContainedFile([supportName, kind.rawValue] + (name.map { [$0] } ?? []), below: folder)
  }

  /// The file's size in bytes; nil if there is no such file.
  package func size(of name: String, _ kind: Kind) -> Int64? {
    guard Self.isFileName(name), case .file(let bytes) = file(name, kind).state else { return nil }
    return bytes
  }

  /// The folders next to the store in which Core Data keeps the files of other stores, or of this one under an earlier name.
  package func otherFolders() -> [String] {
    let names = (try? FileReader.names(in: folder.isEmpty ? "." : folder)) ?? []
    return names.filter { $0.hasPrefix(".") && $0.hasSuffix("_SUPPORT") && $0 != supportName }
  }

  /// Whether a value's file is in one of those, and not empty.
  package func isThere(_ name: String, in other: String) -> Bool {
    guard Self.isFileName(name),
      case .file(let bytes) = ContainedFile([other, Kind.externalData.rawValue, name], below: folder).state
    else { return false }
    return bytes > 0
  }

  /// The names of the files; none if there is no folder.
  /// - Throws: `StoreScopeError` if it is a link or can't be read.
  package func names(_ kind: Kind) throws(StoreScopeError) -> [String] {
    let folder = file(nil, kind)
    var names: [String] = []
    if folder.state != .missing {
      try FileReader.forEachName(in: folder, limit: Self.countLimit) { names.append($0) }
    }
    return names.sorted()
  }

  /// Names are kept in memory; no real store comes near so many.
  private static let countLimit = 1_000_000

  /// The file's bytes; nil if there is no such file, and for pictures, movies and the like, which aren't read.
  /// - Throws: `StoreScopeError` if it is a link, too large or unreadable.
  package func document(_ name: String, _ kind: Kind, limit: Int) throws(StoreScopeError) -> [UInt8]? {
    guard Self.isFileName(name), file(name, kind).state != .missing else { return nil }
    let file = file(name, kind)
    let (beginning, size) = try FileReader.beginning(of: file, count: 64)
    guard !beginning.withUnsafeBytes(BlobKind.isMedia) else { return nil }
    guard size <= limit else {
      throw StoreScopeError(.limit, file.path, "has \(size) bytes, which is more than is searched")
    }
    return try bytes(of: name, kind)
  }

  /// The file's bytes.
  /// - Throws: `StoreScopeError` if it is missing, a link, too large or unreadable.
  func bytes(of name: String, _ kind: Kind) throws(StoreScopeError) -> [UInt8] {
    guard Self.isFileName(name) else {
      throw StoreScopeError(
        .damaged,
        "the store refers to an external file '\(LongName.cut(name))', which isn't a valid file name")
    }
    let file = file(name, kind)
    let path = file.path
    let size = FileReader.size(of: path) ?? 0
    // File systems that pack what they keep, and those that keep small files elsewhere, take less than the size as well.
    let held = min(size, (FileStatus(path)?.sizeOnDisk ?? 0) * 8 + 65_536)
    let excess = readings.excess(path, size: size, held: held)
    if excess > 0 {
      guard !Amplification.isExhausted else {
        throw StoreScopeError(
          .limit, plain: path,
          "is not read: this command has read more than \(Amplification.limit) bytes of files that are sparse or that it had read before"
        )
      }
      Amplification.spend(Int(clamping: excess))
    }
    return try FileReader.bytes(of: file, limit: Self.limit)
  }
}

/// What has been read. A store names each of its files once, and a command may need a value a few times.
final class Readings: Sendable {
  private struct State {
    var hashes: Set<Int> = []
    /// Bytes that the files of first readings really hold.
    var held: Int64 = 0
    /// Bytes of files that had been read before.
    var again: Int64 = 0
  }

  private let state = Mutex(State())
  private static let usualRepetitions: Int64 = 4

  /// How many bytes of this reading no file accounts for.
  /// - Parameter held: how much of the size the file can really hold.
  func excess(_ path: String, size: Int64, held: Int64) -> Int64 {
    state.withLock { state in
      // A hash shows well enough which files were read.
      if state.hashes.insert(path.hashValue).inserted {
        state.held += held
        return size - held
      }
      state.again += size
      return max(0, min(size, state.again - Self.usualRepetitions * state.held))
    }
  }
}

/// A value of an attribute that allows external storage: its first byte says where the bytes are.
///
/// Tag 1 was measured on real stores; 2 and 3 are known from public descriptions only. Without the attribute's flag
/// a value has no tag, and may begin with the same bytes.
package enum ExternalValue: Equatable {
  /// The bytes follow the tag.
  case inline(ClosedRange<Int>?)
  /// The name of a file in `_EXTERNAL_DATA`.
  case file(String)
  /// The name of a file in `_FBF`, and its size.
  case fileBackedFuture(String, bytes: UInt64)
  /// No known tag: the value is what it is.
  case untagged

  package init(_ bytes: UnsafeRawBufferPointer) {
    switch bytes.first {
    case 1:
      self = .inline(bytes.count > 1 ? 1...bytes.count - 1 : nil)
    case 2 where bytes.count >= 37 && bytes.count <= 38 && (bytes.count == 37 || bytes[37] == 0):
      self = .file(String(decoding: bytes[1..<37], as: UTF8.self))
    case 3 where bytes.count > 28 && bytes[1] == 0x23 && bytes[2] == 0x23 && bytes[3] == 0x23:
      let size = bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self)
      let name = bytes[28...].prefix { $0 != 0 }
      self = .fileBackedFuture(String(decoding: name, as: UTF8.self), bytes: UInt64(littleEndian: size))
    default:
      self = .untagged
    }
  }

  /// The bytes that a tagged value stands for, wherever they lie; nil where they are empty.
  /// - Throws: `StoreScopeError` where its file can't be read.
  package static func content(
    of bytes: UnsafeRawBufferPointer, _ files: ExternalFiles
  ) throws(StoreScopeError) -> [UInt8]? {
    switch ExternalValue(bytes) {
    case .untagged: [UInt8](bytes)
    case .inline(let range): range.map { [UInt8](bytes[$0]) }
    case .file(let name): try files.bytes(of: name, .externalData)
    case .fileBackedFuture(let name, _): try files.bytes(of: name, .fileBackedFuture)
    }
  }
}
