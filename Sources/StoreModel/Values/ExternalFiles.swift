import Values

/// Files in which Core Data keeps large values, beside the store.
///
/// A store `App.store` has them in `.App_SUPPORT/_EXTERNAL_DATA`, and file-backed futures in `.App_SUPPORT/_FBF`.
package struct ExternalFiles: Sendable, Equatable {
  /// `.App_SUPPORT`, with its path.
  package let supportFolder: String
  /// A value is read up to this size.
  private static let limit = 256 << 20

  package init(storePath: String) {
    let parts = storePath.split(separator: "/", omittingEmptySubsequences: false)
    let file = parts.last.map(String.init) ?? ""
    var stem = file
    if let dot = file.lastIndex(of: "."), dot != file.startIndex { stem = String(file[..<dot]) }
    supportFolder = (parts.dropLast() + [Substring(".\(stem)_SUPPORT")]).joined(separator: "/")
  }

  package enum Kind: String, Sendable, CaseIterable {
    case externalData = "_EXTERNAL_DATA"
    case fileBackedFuture = "_FBF"
  }

  package func path(of name: String, _ kind: Kind) -> String { "\(supportFolder)/\(kind.rawValue)/\(name)" }

  /// Whether a name that comes out of the store stays inside the folder.
  package static func isFileName(_ name: String) -> Bool {
    !name.isEmpty && !name.contains("/") && name != "." && name != ".." && !name.contains("\0")
  }

  /// The file's bytes.
  /// - Throws: `StoreScopeError` where it is missing, too large or unreadable.
  func bytes(of name: String, _ kind: Kind) throws(StoreScopeError) -> [UInt8] {
    guard Self.isFileName(name) else {
      throw StoreScopeError("the store names an external file '\(name)', which is no file name")
    }
    return try FileReader.bytes(of: path(of: name, kind), limit: Self.limit)
  }
}
