/// URLs as text.
enum URLText {
  /// The reference resolved against the base, after RFC 3986 section 5.2 but without removing `.` and `..`.
  static func join(base: String, relative: String) -> String {
    guard !relative.isEmpty else { return base }
    guard !hasScheme(relative), let colon = base.firstIndex(of: ":") else { return relative }
    let scheme = base[...colon]
    if relative.hasPrefix("//") { return scheme + relative }

    let (authority, rest) = splitAuthority(base[base.index(after: colon)...])
    if relative.hasPrefix("/") { return scheme + authority + relative }
    let withoutFragment = rest.prefix { $0 != "#" }
    if relative.hasPrefix("#") { return scheme + authority + withoutFragment + relative }
    let path = withoutFragment.prefix { $0 != "?" }
    if relative.hasPrefix("?") { return scheme + authority + path + relative }
    guard let slash = path.lastIndex(of: "/") else { return "\(scheme)\(authority)/\(relative)" }
    return scheme + authority + path[...slash] + relative
  }

  private static func hasScheme(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), text.first?.isLetter == true else { return false }
    return text[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
  }

  private static func splitAuthority(_ text: Substring) -> (authority: Substring, rest: Substring) {
    guard text.hasPrefix("//") else { return ("", text) }
    let end = text.dropFirst(2).firstIndex { "/?#".contains($0) } ?? text.endIndex
    return (text[..<end], text[end...])
  }
}
