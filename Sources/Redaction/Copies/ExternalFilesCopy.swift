import Archives
import Operations
import StoreModel
import Values

/// The files in which Core Data keeps large values beside the store: each under another name and with other content.
struct ExternalFilesCopy {
  /// Larger files aren't looked into, as the doctor doesn't either.
  private static let searchedLimit = 64 << 20
  private static let countLimit = 1_000_000

  private let marks: ValueMarks

  init(_ marks: ValueMarks) { self.marks = marks }

  /// - Parameters:
  ///   - target: the folder that takes the place of `.App_SUPPORT`; made where there is something to put in.
  ///   - step: called for each file.
  /// - Returns: how many files there are.
  func run(from files: ExternalFiles, to target: String, step: () -> Void) throws -> Int {
    var count = 0
    for kind in ExternalFiles.Kind.allCases {
      let folder = files.path(of: "", kind)
      guard Platform.isFolder(folder) == true else { continue }
      try Files.makeFolder("\(target)/\(kind.rawValue)")
      var names: [String] = []
      try FileReader.forEachName(in: folder, limit: Self.countLimit) { names.append($0) }
      for name in names.sorted() {
        step()
        if Interruption.isRequested { throw InterruptedError() }
        let copy = "\(target)/\(kind.rawValue)/\(marks.fileName(name))"
        if FileReader.kind(of: folder + name) == .file {
          try write(try content(folder + name), to: copy)
          count += 1
        } else {
          try Files.makeFolder(copy)
        }
      }
    }
    return count
  }

  private func content(_ path: String) throws -> [UInt8] {
    let (beginning, size) = try FileReader.beginning(of: path, count: 64)
    let isMedia = beginning.withUnsafeBytes(BlobKind.isMedia)
    guard size <= Self.searchedLimit else {
      // Reading gigabytes to make noise of them helps nobody: name and size tell such files apart.
      return Array("\(path) \(size)".utf8).withUnsafeBytes { marks.noise($0) }
    }
    return try FileReader.bytes(of: path, limit: Self.searchedLimit).withUnsafeBytes { bytes in
      isMedia ? marks.media(bytes) : marks.data(bytes)
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    var rest = bytes[...]
    _ = try FileCopy.write(to: path) { buffer in
      let piece = rest.prefix(buffer.count)
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
  }
}
