import Base

/// All explanations, and ways to find one.
package enum ExplanationCatalog {
  /// Errors by domain and code, then terms.
  package static let all: [Explanation] = CocoaErrors.all + CloudKitErrors.all + Terms.all

  /// What the word may mean: several explanations if it is ambiguous, none if it is unknown.
  ///
  /// The word is a code (`134419`), a domain and a code (`CKErrorDomain:25`, `CK 25`, or pasted from a log
  /// `Error Domain=NSCocoaErrorDomain Code=134410 "…"`), an error's name (`quotaExceeded`,
  /// `NSPersistentHistoryTokenExpiredError`) or a term, in singular or plural, in any case and spelling.
  package static func explanations(for word: String) -> [Explanation] {
    if let reference = ErrorReference(word) {
      let errors = all.filter { $0.code == reference.code && (reference.domain ?? $0.domain) == $0.domain }
      // Letters and digits alone would find 25 for -25.
      if !errors.isEmpty || reference.code < 0 { return errors }
    }
    let keys = spellings(of: word)
    return zip(all, allKeys).compactMap { $1.isDisjoint(with: keys) ? nil : $0 }
  }

  /// The explanation of an error as an event row records it.
  package static func explanation(domain: String, code: Int) -> Explanation? {
    // Most errors are in the first list, and making all takes a while at every start. A log may have very many events:
    // copying an explanation to look at it takes longer than comparing all codes.
    for list in lists[domain, default: []] {
      let errors = list()
      if let index = errors.indices.first(where: { errors[$0].code == code }) { return errors[index] }
    }
    return nil
  }

  private static let lists = [
    CloudKitErrors.domain: CloudKitErrors.lists, CocoaErrors.domain: CocoaErrors.lists,
  ]

  /// The words there are, for one that isn't among them. Codes have no nearest: a number that looks alike means
  /// something else.
  package static func words(near word: String) -> [String] {
    ErrorReference(word) == nil ? all.flatMap(\.words) : []
  }

  /// The message if `explanations(for:)` is empty.
  package static func unknown(_ word: String) -> String {
    guard ErrorReference(word) != nil else {
      return
        "No entry for '\(word)'. Use an error code (134419, CKErrorDomain:25), its name, or a term; 'storescope explain' lists them all."
    }
    if let reference = ErrorReference(word), reference.domain != CloudKitErrors.domain,
      let range = CocoaErrors.ranges.first(where: { $0.codes.contains(reference.code) })
    {
      return """
        No entry for the error code '\(word)'. In \(CocoaErrors.domain), codes from \(range.codes.lowerBound) to \
        \(range.codes.upperBound) are about \(range.subject). Look in the app's log for the underlying error.
        """
    }
    let ranges = [CloudKitErrors.domain, CocoaErrors.domain].map { domain in
      let codes = all.filter { $0.domain == domain }.compactMap(\.code)
      return "of \(domain) between \(codes.min() ?? 0) and \(codes.max() ?? 0)"
    }
    return
      "No entry for the error code '\(word)'; known codes are \(ranges.joined(separator: " and ")). Look in the app's log for the domain and the underlying error."
  }

  private static let allKeys: [Set<String>] = all.map { explanation in
    explanation.words.reduce(into: []) { $0.formUnion(spellings(of: $1)) }
  }

  /// Letters and digits in lower case, as they are and without an ending of the plural.
  private static func spellings(of word: String) -> Set<String> {
    let plain = word.lowercased().filter { $0.isLetter || $0.isNumber }
    guard plain.count > 3, plain.hasSuffix("s") else { return plain.isEmpty ? [] : [plain] }
    var spellings: Set = [plain, String(plain.dropLast())]
    if plain.hasSuffix("es") { spellings.insert(String(plain.dropLast(2))) }
    if plain.hasSuffix("ies") { spellings.insert(plain.dropLast(3) + "y") }
    return spellings
  }
}

extension Explanation {
  /// Every word that finds it, except its code.
  fileprivate var words: [String] {
    guard name != Self.unnamed else { return [subject] }
    var words = [subject, name] + synonyms
    switch domain {
    case CloudKitErrors.domain: words += ["CKError.\(name)", "CKError.Code.\(name)"]
    case CocoaErrors.domain:
      // As in Swift: `CocoaError.Code.persistentHistoryTokenExpired`.
      let short = name.dropFirst(2).dropLast(5)
      words += [String(name.dropFirst(2)), String(short), "CocoaError.\(short)", "CocoaError.Code.\(short)"]
    default: break
    }
    return words
  }
}

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
