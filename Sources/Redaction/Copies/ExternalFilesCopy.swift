import Archives
import Base
import StoreModel

/// The files in which Core Data keeps large values next to the store: each under another name and with other content.
struct ExternalFilesCopy {
  /// Larger files aren't looked into, as the doctor doesn't either.
  private static let searchedLimit = 64 << 20

  private let marks: ValueMarks

  init(_ marks: ValueMarks) { self.marks = marks }

  /// What was copied and what wasn't.
  struct Result {
    var count = 0
    /// What the copy lacks, a sentence each.
    var problems: [String] = []
  }

  /// - Parameters:
  ///   - target: the folder that takes the place of `.App_SUPPORT`; made where there is something to put in.
  ///   - step: called for each file.
  func run(from files: ExternalFiles, to target: String, step: () -> Void) throws -> Result {
    var result = Result()
    for kind in ExternalFiles.Kind.allCases {
      let folder = files.file(nil, kind)
      if folder.state == .missing { continue }
      let names: [String]
      do { names = try files.names(kind) } catch {
        result.problems.append("The files of \(kind.rawValue) aren't in the copy: \(error.clause).")
        continue
      }
      let path = "\(target)/\(kind.rawValue)"
      try Files.makeFolder(path)
      let place = try OpenFolder(path)
      for name in names {
        step()
        if Interruption.isRequested { throw InterruptedError() }
        let copy = marks.fileName(name)
        let file = files.file(name, kind)
        switch file.state {
        case .file:
          try write(try content(file), to: copy, in: place)
          result.count += 1
        case .folder, .special: try place.makeFolder(copy)
        case .link: result.problems.append("'\(file.path)' isn't in the copy: it is a link, not followed.")
        case .missing, .unreadable:
          result.problems.append("'\(file.path)' isn't in the copy: it can't be read.")
        }
      }
    }
    return result
  }

  private func content(_ file: ContainedFile) throws -> [UInt8] {
    let (beginning, size) = try FileReader.beginning(of: file, count: 64)
    let isMedia = beginning.withUnsafeBytes(BlobKind.isMedia)
    guard size <= Self.searchedLimit else {
      // Reading gigabytes to make noise of them helps nobody: name and size tell such files apart.
      return Array("\(file.path) \(size)".utf8).withUnsafeBytes { marks.noise($0) }
    }
    return try FileReader.bytes(of: file, limit: Self.searchedLimit).withUnsafeBytes { bytes in
      isMedia ? marks.media(bytes) : marks.data(bytes)
    }
  }

  private func write(_ bytes: [UInt8], to part: String, in place: OpenFolder) throws {
    var rest = bytes[...]
    _ = try FileCopy.write(part, in: place) { buffer in
      let piece = rest.prefix(buffer.count)
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
  }
}
