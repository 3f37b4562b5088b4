import SQLite
import StoreModel
import Values

/// Values that may lie in files: what counts is the content, as each save gives its file a new name.
enum ExternalContents {
  struct Side {
    var cell: Cell
    var files: ExternalFiles
    /// Whether the attribute's values bear a tag.
    var isTagged: Bool
  }

  static func areSame(_ one: Side, _ other: Side) -> Bool {
    let isSame = one.cell.holdsSame(as: other.cell)
    guard one.cell.type == .blob, other.cell.type == .blob else { return isSame }
    let places = (place(one), place(other))
    guard places.0 != nil || places.1 != nil else {
      return isSame && one.isTagged == other.isTagged || content(one) == content(other)
    }
    if let file = places.0, file.path == places.1?.path { return true }
    if let file = places.0, let other = places.1, file.state != other.state { return false }
    switch (content(one), content(other)) {
    case (let content?, let otherContent?): return content == otherContent
    // Neither can be read: both are missing, or links.
    case (nil, nil): return isSame
    default: return false
    }
  }

  /// The file that has the value; nil where the cell itself has it.
  private static func place(_ side: Side) -> ContainedFile? {
    guard side.isTagged else { return nil }
    return side.cell.withBytes { bytes in
      switch ExternalValue(bytes) {
      case .file(let name) where ExternalFiles.isFileName(name): side.files.file(name, .externalData)
      case .fileBackedFuture(let name, _) where ExternalFiles.isFileName(name):
        side.files.file(name, .fileBackedFuture)
      default: nil
      }
    }
  }

  /// Nil where it can't be read.
  private static func content(_ side: Side) -> [UInt8]? {
    side.cell.withBytes { bytes in
      side.isTagged ? try? ExternalValue.content(of: bytes, side.files) ?? [] : [UInt8](bytes)
    }
  }
}
