import SystemCalls

/// Where a store lies inside something else, as `find` prints it: `case.zip!/private/var/mobile/…/default.store`, or
/// `outer.zip!/inner.zip!/default.store`.
package struct StoreAddress: Sendable, Hashable {
  /// The archive, or the folder of a backup.
  package let container: String
  /// An archive inside it that the store lies in; nil if the store is in the container itself.
  package let inner: String?
  /// The store's path there; for a backup, its domain and its path in the domain.
  package let path: String

  private static let mark = "!/"

  package init(container: String, inner: String? = nil, path: String) {
    self.container = container
    self.inner = inner
    self.path = path
  }

  /// Nil if the text is an ordinary path. Folders may have a `!` at the end of their names: what is there as it stands
  /// is no address, and of several marks the first counts that follows something that is there.
  package init?(_ text: String) {
    guard text.contains(Self.mark), !Files.exists(text) else { return nil }
    var mark = text.range(of: Self.mark, from: text.startIndex)
    while let found = mark {
      let container = String(text[..<found.lowerBound])
      if !container.isEmpty, Files.exists(container) {
        let rest = text[found.upperBound...]
        let second = rest.range(of: Self.mark, from: rest.startIndex)
        self.container = container
        inner = second.map { String(rest[..<$0.lowerBound]) }
        path = second.map { String(rest[$0.upperBound...]) } ?? String(rest)
        return
      }
      mark = text.range(of: Self.mark, from: found.upperBound)
    }
    return nil
  }
}

extension StoreAddress: CustomStringConvertible {
  package var description: String {
    ([container] + [inner, path].compactMap { $0 }).joined(separator: Self.mark)
  }
}

extension StringProtocol {
  fileprivate func range(of text: String, from start: Index) -> Range<Index>? {
    self[start...].firstRange(of: text)
  }
}
