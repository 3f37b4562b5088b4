import StoreModel
import Values

/// Takes out of sentences what may tell of a person or a device: the store's path and other paths, names of zones and
/// owners in quotes, object URIs' stores, UUIDs, addresses and container identifiers. Sentences are the program's own and
/// should have none of it; an error of the system's may.
struct SentenceMask: Sendable {
  private let marks: Marks
  /// Longest first, each with its mark.
  private let known: [(text: String, mark: String)]
  private let entities: Set<String>

  /// - Parameter entities: names that the model or the framework knows; a URI in a value may have any other.
  init(_ marks: Marks, path: String, names: [String], entities: Set<String>) {
    self.marks = marks
    self.entities = entities
    var known = [(path, marks.mark(path, kind: "path"))]
    known += [Platform.absolutePath(path)].filter { $0 != path }.map { ($0, marks.mark(path, kind: "path")) }
    // Only in quotes: a zone may be called by a word that every sentence has.
    known += names.map { ("'\($0)'", "'\(marks.mark($0, kind: "zone"))'") }
    self.known = known.filter { !$0.0.isEmpty }.sorted { ($1.0.utf8.count, $0.0) < ($0.0.utf8.count, $1.0) }
      .map { (text: $0.0, mark: $0.1) }
  }

  func masked(_ sentence: String) -> String {
    var text = sentence
    for (name, mark) in known where text.contains(name) {
      text = Self.replacing(name, with: mark, in: text)
    }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word($0) }.joined(
      separator: " ")
  }

  /// `x-coredata://STORE/Entity/p1`, with another store's name in place of its own, and a mark for an entity that
  /// isn't known. Temporary ones have a text of the
  /// process's making behind the entity, which gets a mark.
  func uri(_ text: String) -> String {
    let scheme = "x-coredata://"
    guard text.hasPrefix(scheme) else { return marks.mark(text, kind: "reference") }
    let parts = text.dropFirst(scheme.count).split(
      separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return marks.mark(text, kind: "reference") }
    let store =
      parts[0].isEmpty ? "" : marks.uuid(String(parts[0])) ?? marks.mark(String(parts[0]), kind: "id")
    let key = parts[2]
    let isPermanent = key.first == "p" && key.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    let shown = isPermanent ? String(key) : marks.mark(String(key), kind: "t")
    let name = ObjectURI(text)?.entity ?? String(parts[1])
    let entity = entities.contains(name) ? String(parts[1]) : marks.mark(name, kind: "Entity")
    return "\(scheme)\(store)/\(entity)/\(shown)"
  }

  private static let openers: Set<Character> = ["'", "\"", "(", "[", "<", "“", "‘"]
  private static let closers: Set<Character> = [
    "'", "\"", ")", "]", ">", "”", "’", ",", ".", ";", ":", "!", "?",
  ]

  /// One word, whose quotes and full stop stay.
  private func word(_ word: Substring) -> String {
    var core = word
    var (head, tail) = ("", "")
    while let first = core.first, Self.openers.contains(first) {
      head.append(first)
      core.removeFirst()
    }
    while let last = core.last, Self.closers.contains(last) {
      tail = String(last) + tail
      core.removeLast()
    }
    return head + replacement(core) + tail
  }

  private func replacement(_ core: Substring) -> String {
    let text = String(core)
    if text.hasPrefix("x-coredata:") { return uri(text) }
    if text.hasPrefix("/") || text.hasPrefix("~/") || text.hasPrefix("file:") {
      return text.utf8.count > 1 ? marks.mark(text, kind: "path") : text
    }
    if text.hasPrefix("iCloud.") { return marks.mark(text, kind: "container") }
    if let at = text.firstIndex(of: "@"), at != text.startIndex, text[at...].contains(".") {
      return marks.mark(text, kind: "address")
    }
    return withoutUUIDs(text)
  }

  /// UUIDs may stand inside of a word, as in the name of a link's record.
  private func withoutUUIDs(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.count >= 36, bytes.contains(UInt8(ascii: "-")) else { return text }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if index + 36 <= bytes.count, bytes[index + 8] == UInt8(ascii: "-") {
        let window = String(decoding: bytes[index..<index + 36], as: UTF8.self)
        if let mark = marks.uuid(window) {
          result += Array(mark.utf8)
          index += 36
          continue
        }
      }
      result.append(bytes[index])
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func replacing(_ name: String, with mark: String, in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: name) {
      result += rest[..<range.lowerBound] + mark
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
