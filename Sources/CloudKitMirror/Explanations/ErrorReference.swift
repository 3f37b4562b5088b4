/// An error as a person writes it: a code, with or without its domain.
struct ErrorReference: Equatable {
  /// The full name of a domain known here.
  var domain: String?
  var code: Int

  /// Nil where the text is anything but a code, alone or behind a domain; text behind the code is allowed where
  /// a domain is named, so that a line of a log can be pasted.
  init?(_ text: String) {
    let parts = Self.parts(of: text.lowercased())
    guard let position = parts.firstIndex(where: { Int($0) != nil }), let code = Int(parts[position]) else {
      return nil
    }
    let before = parts[..<position].filter { !["error", "domain", "code"].contains($0) }
    domain = before.first.flatMap { Self.domains[$0] }
    self.code = code
    guard before.count <= 1, before.isEmpty == (domain == nil), domain != nil || position == parts.count - 1
    else { return nil }
  }

  /// Letters and digits; a minus stays before a number that nothing else stands before, so that -25 isn't taken for 25.
  private static func parts(of text: String) -> [String] {
    text.split { $0.isWhitespace || ":=/\"".contains($0) }.flatMap { word in
      let parts = word.split { !$0.isLetter && !$0.isNumber }.map(String.init)
      guard word.hasPrefix("-"), let first = parts.first, Int(first) != nil else { return parts }
      return ["-" + first] + parts.dropFirst()
    }
  }

  private static let domains = [
    "ckerrordomain": CloudKitErrors.domain, "ckerror": CloudKitErrors.domain, "ck": CloudKitErrors.domain,
    "cloudkit": CloudKitErrors.domain, "nscocoaerrordomain": CocoaErrors.domain,
    "cocoaerrordomain": CocoaErrors.domain, "cocoaerror": CocoaErrors.domain,
    "nscocoaerror": CocoaErrors.domain,
    "cocoa": CocoaErrors.domain, "coredata": CocoaErrors.domain,
  ]
}
