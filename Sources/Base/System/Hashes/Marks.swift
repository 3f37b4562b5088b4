import Synchronization

/// Replacements for values that are not to be shown: equal values get equal marks, and without the salt nobody can
/// tell which mark a guessed value would get.
///
/// A mark is the beginning of SHA-256 over the salt, the kind and the value.
package struct Marks: Sendable {
  private let salt: [UInt8]
  /// Nil if marks are hashes.
  private var numbers: Numbers?
  private var isBracketed = false

  package init(salt: [UInt8]) {
    // 32 bytes whatever was given, so that salt and kind can't run into each other.
    var hash = SHA256()
    salt.withUnsafeBytes { hash.update($0) }
    self.salt = hash.finish()
  }

  /// The same text gives the same marks in every run.
  package init(saltText: String) { self.init(salt: Array(saltText.utf8)) }

  /// Marks that no other run can repeat.
  package static func random() -> Marks {
    var generator = SystemRandomNumberGenerator()
    return Marks(salt: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// Marks that nobody takes for the name itself: `[withheld record 3f9a2c41d07b]`.
  package static func withheld(salt: [UInt8]) -> Marks {
    var marks = Marks(salt: salt)
    marks.isBracketed = true
    return marks
  }

  /// Marks without a secret that say nothing of the value: the first value of a kind that is asked for is `record-1`. Each
  /// run that asks in the same order gets the same.
  package static func numbered() -> Marks {
    var marks = random()
    marks.numbers = Numbers()
    return marks
  }

  /// Marks may be asked for by several threads.
  private final class Numbers: Sendable {
    private let known = Mutex<[String: [String: Int]]>([:])

    func number(_ text: String, _ kind: String) -> Int {
      known.withLock { known in
        let next = known[kind, default: [:]].count + 1
        let number = known[kind]?[text] ?? next
        known[kind, default: [:]][text] = number
        return number
      }
    }
  }

  /// 32 bytes that stand for the value. The same value of another kind has others.
  package func digest(_ bytes: UnsafeRawBufferPointer, kind: String) -> [UInt8] {
    var hash = SHA256()
    (salt + Array(kind.utf8) + [0]).withUnsafeBytes { hash.update($0) }
    hash.update(bytes)
    return hash.finish()
  }

  /// `record-3f9a2c41d07b` for a text of the kind `record`. Twelve digits keep a million texts apart well enough to
  /// read. The mark of a UUID begins with the same six digits whatever its kind, and so does the UUID that stands for
  /// it: a report and a redacted copy with the same salt can be compared.
  package func mark(_ text: String, kind: String) -> String {
    if let numbers { return "\(kind)-\(numbers.number(text, kind))" }
    var text = text
    let digest =
      Hexadecimal.uuidBytes(text).map { $0.withUnsafeBytes { self.digest($0, kind: Self.uuidKind) } }
      ?? text.withUTF8 { self.digest(UnsafeRawBufferPointer($0), kind: kind) }
    let digits = Hexadecimal.lowercase(digest).prefix(12)
    return isBracketed ? "[withheld \(kind) \(digits)]" : "\(kind)-\(digits)"
  }

  private static let uuidKind = "uuid"

  /// Whether a text is a placeholder of that kind, as another run made it.
  package static func isMark(_ text: String, kind: String) -> Bool {
    let digits = text.dropFirst(kind.utf8.count + 1)
    return text.hasPrefix(kind + "-") && digits.utf8.count == 12
      && digits.allSatisfy { $0.isHexDigit && !$0.isUppercase }
  }

  /// Another UUID for the sixteen bytes of one. It begins with FACADE, so that nobody takes it for a real one, and is of
  /// the version for such uses (https://www.rfc-editor.org/rfc/rfc9562#section-5.8).
  package func uuid(_ bytes: UnsafeRawBufferPointer) -> [UInt8] { uuid(bytes, kind: Self.uuidKind) }

  /// The same for a UUID as text in its usual grouping, in upper or lower case; nil for any other text.
  package func uuid(_ text: String) -> String? {
    guard let bytes = Hexadecimal.uuidBytes(text) else { return nil }
    return Self.text(bytes.withUnsafeBytes { uuid($0) })
  }

  /// A UUID in place of any text at all, such as a file's name that must stay as long.
  package func uuid(inPlaceOf text: String, kind: String) -> String {
    Self.text(Array(text.utf8).withUnsafeBytes { uuid($0, kind: kind) })
  }

  /// Whether a UUID was made here in place of another.
  package static func isPlaceholder(_ uuid: String) -> Bool {
    guard let bytes = Hexadecimal.uuidBytes(uuid) else { return false }
    return Array(bytes.prefix(3)) == beginning && bytes[6] >> 4 == 8
  }

  private static let beginning: [UInt8] = [0xFA, 0xCA, 0xDE]

  private func uuid(_ bytes: UnsafeRawBufferPointer, kind: String) -> [UInt8] {
    var uuid = Self.beginning + digest(bytes, kind: kind).prefix(13)
    uuid[6] = uuid[6] & 0x0F | 0x80
    uuid[8] = uuid[8] & 0x3F | 0x80
    return uuid
  }

  private static func text(_ uuid: [UInt8]) -> String {
    uuid.withUnsafeBytes { Hexadecimal.uuid($0) } ?? ""
  }
}
