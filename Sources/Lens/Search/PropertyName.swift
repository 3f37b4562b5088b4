import Values

/// A property by the name that people type: an attribute, a composite or a leaf of it, a member of a decoded value; in any
/// capitals.
package struct PropertyName {
  package let name: String

  package init(_ name: String) { self.name = name }

  /// The path that a name means: itself in any capitals, or the only composite's part of that name.
  package static func meant(by name: String, among paths: [String]) -> String? {
    if let same = Suggestion.spelled(name, in: paths) { return same }
    let end = "." + name.lowercased()
    let parts = paths.filter { $0.lowercased().hasSuffix(end) }
    return parts.count == 1 ? parts[0] : nil
  }

  /// Whether a stored property is that one, a part of it, or has it as a member.
  package func includes(_ path: String) -> Bool {
    let (name, path) = (name.lowercased(), path.lowercased())
    return
      name == path || path.hasPrefix(name + ".") || name.hasPrefix(path + ".")
      || name.hasPrefix(path + "[")
  }

  /// Where in that property's decoded value it looks: `.scheme` of `mapStyle.scheme` in `mapStyle`; nil for all of it.
  func place(in path: String) -> String? {
    let (name, path) = (name.lowercased(), path.lowercased())
    return name.count > path.count && name.hasPrefix(path) ? String(name.dropFirst(path.count)) : nil
  }
}
