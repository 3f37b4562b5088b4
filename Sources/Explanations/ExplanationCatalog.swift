import Base

/// All explanations, and ways to find one.
package enum ExplanationCatalog {
  /// Errors by domain and code, then terms.
  package static let all: [Explanation] = CocoaErrors.all + CloudKitErrors.all + SQLiteErrors.all + Terms.all

  /// What the word may mean: several explanations if it is ambiguous, none if it is unknown.
  ///
  /// The word is a code (`134419`), a domain and a code (`CKErrorDomain:25`, `CK 25`), an error's name (`quotaExceeded`,
  /// `NSPersistentHistoryTokenExpiredError`) or a term, in singular or plural, in any case and spelling; or a text pasted
  /// from a log, with errors or SQLite's messages in it.
  package static func explanations(for word: String) -> [Explanation] {
    let references = ErrorReference.all(in: word)
    let errors = references.flatMap { reference in
      reference.domain.map { [explanation(domain: $0, code: reference.code)].compactMap(\.self) }
        ?? all.filter { $0.code == reference.code }
    }
    // Letters and digits alone would find 25 for -25.
    if !errors.isEmpty || references.contains(where: { $0.code < 0 }) {
      return errors.enumerated().filter { !errors[..<$0].contains($1) }.map(\.element)
    }
    let keys = spellings(of: word)
    let named = zip(all, allKeys).compactMap { $1.isDisjoint(with: keys) ? nil : $0 }
    return named.isEmpty && references.isEmpty ? problems(in: word) : named
  }

  /// Those whose name or message the text has in it; of several, the longest, which is the most precise.
  private static func problems(in text: String) -> [Explanation] {
    let words = text.split { !$0.isLetter && !$0.isNumber }.prefix(mostWords).map { $0.lowercased() }
    let phrases = Set(
      words.indices.flatMap { start in
        (1...mostOfPhrase).map { words[start...].prefix($0).joined() }.filter { $0.count >= shortestInText }
      })
    let found = all.filter { $0.resolvesItself != .doesNotApply }.compactMap { explanation in
      // Short forms of names are words of any sentence: `CoreData` of `NSCoreDataError`.
      let names = ([explanation.name] + explanation.synonyms).flatMap(spellings)
      return phrases.intersection(names).map(\.count).max().map { (explanation, $0) }
    }
    let longest = found.map(\.1).max()
    return found.filter { $0.1 == longest }.map(\.0)
  }

  /// Shorter ones are words of any sentence.
  private static let shortestInText = 8
  /// The longest message has 10.
  private static let mostOfPhrase = 10
  private static let mostWords = 1000

  /// The explanation of an error as an event row records it.
  package static func explanation(domain: String, code: Int) -> Explanation? {
    // Most errors are in the first list, and making all takes a while at every start. A log may have very many events:
    // copying an explanation to look at it takes longer than comparing all codes.
    for list in lists[domain, default: []] {
      let errors = list()
      if let index = errors.indices.first(where: { errors[$0].code == code }) { return errors[index] }
    }
    guard domain == SQLiteErrors.domain, code > SQLiteErrors.primary(code) else { return nil }
    return explanation(domain: domain, code: SQLiteErrors.primary(code))
  }

  private static let lists = [
    CloudKitErrors.domain: CloudKitErrors.lists, CocoaErrors.domain: CocoaErrors.lists,
    SQLiteErrors.domain: [{ SQLiteErrors.all }],
  ]

  /// The words there are, for one that isn't among them. Codes have no nearest: a number that looks alike means
  /// something else.
  package static func words(near word: String) -> [String] {
    ErrorReference.all(in: word).isEmpty ? all.flatMap(\.words) : []
  }

  /// The message if `explanations(for:)` is empty.
  package static func unknown(_ word: String) -> String {
    guard let reference = ErrorReference.all(in: word).first else {
      return
        "No entry for '\(word)'. Use an error code (134419, CKErrorDomain:25), its name, or a term; 'storescope explain' lists them all."
    }
    if reference.domain ?? CocoaErrors.domain == CocoaErrors.domain,
      let range = CocoaErrors.ranges.first(where: { $0.codes.contains(reference.code) })
    {
      return """
        No entry for the error code '\(word)'. In \(CocoaErrors.domain), codes from \(range.codes.lowerBound) to \
        \(range.codes.upperBound) are about \(range.subject). Look in the app's log for the underlying error.
        """
    }
    let ranges = [CloudKitErrors.domain, CocoaErrors.domain, SQLiteErrors.domain].map { domain in
      let codes = all.filter { $0.domain == domain }.compactMap(\.code)
      return "of \(domain) between \(codes.min() ?? 0) and \(codes.max() ?? 0)"
    }
    return
      "No entry for the error code '\(word)'; known codes are \(Sentence.listed(ranges, atMost: 3)). Look in the app's log for the domain and the underlying error."
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

/// An error as a person or a log writes it: a code, with or without its domain.
struct ErrorReference: Equatable {
  /// The full name of a domain that has explanations.
  var domain: String?
  var code: Int

  /// Those in a text: a code alone, or codes behind domains, in whatever else a log's line has. CloudKit's log has a title
  /// before the code, and an internal code behind it: `<CKError 0x1: "Quota Exceeded" (25/2035)>`; Core Data's has
  /// SQLite's code and message: `CoreData: error: (11) database disk image is malformed`.
  static func all(in text: String) -> [ErrorReference] {
    if let alone = text.wholeMatch(of: alone), let code = Int(alone.code) {
      return [ErrorReference(domain: nil, code: code)]
    }
    return text.matches(of: behindDomain).compactMap { match in
      let domain =
        match.sqlite != nil
        ? SQLiteErrors.domain : match.cloudkit != nil ? CloudKitErrors.domain : CocoaErrors.domain
      return Int(match.code).map { ErrorReference(domain: domain, code: $0) }
    }
  }

  private nonisolated(unsafe) static let alone = /(?i)(?:error|code|[\s:=#])*(?<code>-?\d+)\s*/
  private nonisolated(unsafe) static let behindDomain =
    /(?i)(?:^|\W)(?:(?<sqlite>NSSQLiteErrorDomain|SQLite3?|CoreData: error: (?=\())|(?<cloudkit>CKErrorDomain|CKError|CK|CloudKit)|(?:NS)?CocoaError(?:Domain)?|Cocoa|CoreData)-?(?:[\s:=\/(]|"[^"]*"|0x[0-9a-f]+(?!\w)|error|code|domain)*?(?<code>-?\d+)(?!\w)/
}
