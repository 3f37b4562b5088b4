package import Values

/// Small numbers as people read them.
package enum TextForPeople {
  /// `Person/p12` of an object's URI, and `Größe/p1` where the entity is encoded. Only a name that could be typed again is
  /// decoded.
  package static func objectName(ofURI uri: String) -> String {
    let parts = uri.split(separator: "/").suffix(2)
    guard uri.contains("%"), let entity = parts.first?.percentDecoded,
      entity.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
    else { return parts.joined(separator: "/") }
    return ([entity] + parts.dropFirst().map(String.init)).joined(separator: "/")
  }

  /// With zeros before it where it has fewer digits.
  static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  /// A sentence whose times are shown to the minute.
  package static func shortTimes(_ sentence: String) -> String {
    DateText().shortened(sentence, namesZone: false)
  }

  /// `2026-04-16 06:45`, in UTC.
  package static func minute(_ date: CoreDataDate) -> String { DateText().minute(date) }
}
