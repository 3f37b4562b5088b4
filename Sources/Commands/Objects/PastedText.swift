import Values

/// What was probably meant by a text that was copied from a log, a mail or a screen with something around it.
enum PastedText {
  /// A URI, a record's name, a UUID, an object's address, or a number without its unit; nil for what has none, or nothing
  /// around it.
  static func meant(by text: String) -> String? {
    guard text.utf8.count < 10_000 else { return nil }
    let found =
      optional(in: text) ?? uri(in: text) ?? recordName(in: text) ?? address(in: text) ?? quoted(in: text)
      ?? email(in: text) ?? number(in: text)
    return found == text ? nil : found
  }

  /// The properties with values that Core Data's `description` of an object has: `mood = grateful; title = "Spring";`.
  static func pairs(in text: String) -> [AttributeValue] {
    guard text.utf8.count < 10_000, text.contains(";") else { return [] }
    let pair = /\b([A-Za-z]\w*)\s*=\s*(?:"([^"]*)"|([^;{}"]+))\s*;/
    return text.matches(of: pair).prefix(mostPairs).compactMap { match in
      let value = String(match.2 ?? match.3 ?? "")
      return AttributeValue(anyEntity: "\(match.1)=\(optional(in: value) ?? value)")
    }
  }

  /// Each is a search of its own.
  private static let mostPairs = 8

  /// What Swift prints of an optional value.
  private static func optional(in text: String) -> String? {
    text.wholeMatch(of: /Optional\("?(.+?)"?\)/).map { String($0.1) }
  }

  private static func uri(in text: String) -> String? {
    text.firstMatch(of: /x-coredata:\/\/[^\s<>()\[\]"',;]+/).map { String($0.0) }
  }

  private static func recordName(in text: String) -> String? {
    if let match = text.firstMatch(of: /recordName\s*=\s*"?([^\s,;<>()"']+)/) { return String(match.1) }
    if let match = text.firstMatch(of: /[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) {
      return String(match.0)
    }
    // In the framework's log a record has its zone with it.
    return text.wholeMatch(of: /<?(?:CKRecordID: [^;]+; )?([^\s:()]+):\(.+\)>?/).map { String($0.1) }
  }

  private static func address(in text: String) -> String? {
    text.firstMatch(of: ObjectReference.address).map { String($0.0) }
  }

  /// What a log puts in quotes.
  private static func quoted(in text: String) -> String? {
    text.firstMatch(of: /["“]([^"”]{3,})["”]/).map { String($0.1) }
  }

  private static func email(in text: String) -> String? {
    text.firstMatch(of: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/).map { String($0.0) }
  }

  /// With a currency's code in front, such as `EUR`, or one or a unit behind.
  private static func number(in text: String) -> String? {
    let pattern = /(?:[A-Z]{3}\s?)?([-−+]?\d(?:[\d.,'’]*\d)?)\s?(?:[A-Z]{3}|°[CF]?|%|[a-zµ]{1,3})?/
    return text.wholeMatch(of: pattern).map { String($0.1) }
  }
}
