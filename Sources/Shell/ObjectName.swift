import Rendering

/// Words that name an object by themselves.
enum ObjectName {
  /// `Entity/p3`, a URI, or a UUID as the framework makes record names.
  static func isPlain(_ word: String) -> Bool {
    if ObjectNumbers.isObject(word) || word.hasPrefix("x-coredata:") { return true }
    let groups = word.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }
}
