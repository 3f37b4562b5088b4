package import Base

/// An object with fields in a keyed archive: a cheap reference to it.
package struct ArchivedObject: Sendable {
  let storage: KeyedArchiveStorage
  /// The object's number in the property list.
  package let number: Int
  /// The object's place in `$objects`: the same for all references to it. Is -1 for `$top`, and for a dictionary
  /// that stands within a field instead of in `$objects`.
  package let index: Int

  package var className: String? { classNames.first }

  /// The class and its superclasses, the class first; empty where the archive names none.
  package var classNames: [String] { storage.classNames(of: number) }

  /// Whether the object is of this class or of one that inherits from it.
  package func isKind(of name: String) -> Bool { classNames.contains(name) }

  /// The field of that name; nil where the object has none.
  package subscript(key: String) -> ArchivedValue? {
    storage.fields.value(of: key, in: number).map { ArchivedValue(storage: storage, number: $0) }
  }

  /// The fields' names in stored order, without `$class`.
  package var keys: [String] {
    storage.fields.range(of: number).map { storage.fields.field(at: $0).key }.filter { $0 != "$class" }
  }

  /// All fields in stored order, without `$class`.
  package var fields: [(key: String, value: ArchivedValue)] {
    storage.fields.range(of: number).compactMap { position in
      let (key, number) = storage.fields.field(at: position)
      return key == "$class" ? nil : (key, ArchivedValue(storage: storage, number: number))
    }
  }
}

extension ArchivedObject: Hashable {
  package static func == (one: Self, other: Self) -> Bool {
    one.storage === other.storage && one.number == other.number && one.index == other.index
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(index)
  }
}

/// How Foundation's classes archive themselves; measured on archives from real stores.
extension ArchivedObject {
  package var string: String? {
    guard isKind(of: "NSString") else { return nil }
    switch self["NS.string"] ?? self["NS.bytes"] {
    case .string(let value): return value
    case .data(let bytes): return String(decoding: bytes, as: UTF8.self)
    default: return nil
    }
  }

  package var data: [UInt8]? { dataSlice.map(Array.init) }

  /// The same without a copy.
  var dataSlice: ArraySlice<UInt8>? {
    guard isKind(of: "NSData"), case .data(let bytes) = self["NS.data"] ?? self["NS.bytes"] else {
      return nil
    }
    return bytes
  }

  package var date: CoreDataDate? {
    guard isKind(of: "NSDate"), let seconds = self["NS.time"]?.real else { return nil }
    return CoreDataDate(seconds: seconds)
  }

  package var uuidBytes: [UInt8]? {
    guard isKind(of: "NSUUID"), case .data(let bytes) = self["NS.uuidbytes"], bytes.count == 16 else {
      return nil
    }
    return Array(bytes)
  }

  /// How many elements the array, set or ordered set has, without making them.
  var elementCount: Int? {
    guard isKind(of: "NSArray") || isKind(of: "NSSet") || isKind(of: "NSOrderedSet") else { return nil }
    guard case .list(let list) = self["NS.objects"] else { return storage.fields.range(of: number).count }
    return list.count
  }

  package var elements: [ArchivedValue]? {
    guard elementCount != nil else { return nil }
    guard case .list(let list) = self["NS.objects"] else { return numbered("NS.object.") }
    return Array(list)
  }

  /// How many entries the dictionary has, without making them.
  var entryCount: Int? {
    guard isKind(of: "NSDictionary") else { return nil }
    if case .list(let list) = self["NS.keys"] { return list.count }
    return self["searchMapping"]?.object?["keys"]?.object?.elementCount
      ?? storage.fields.range(of: number).count
  }

  package var entries: [(key: ArchivedValue, value: ArchivedValue)]? {
    guard isKind(of: "NSDictionary") else { return nil }
    if isKind(of: "NSKnownKeysDictionary") { return knownKeysEntries }
    guard case .list(let keys) = self["NS.keys"], case .list(let values) = self["NS.objects"] else {
      return Array(zip(numbered("NS.key."), numbered("NS.object."))).map { (key: $0, value: $1) }
    }
    return zip(keys, values).map { (key: $0, value: $1) }
  }

  /// Core Data's dictionary for a fixed set of keys keeps its values in the keys' order; the keys are in the
  /// mapping that all dictionaries of a kind share. A token stands for "no value".
  private var knownKeysEntries: [(key: ArchivedValue, value: ArchivedValue)]? {
    guard let keys = self["searchMapping"]?.object?["keys"]?.elements, let values = self["values"]?.elements
    else { return nil }
    let empty = self["emptyToken"]?.string
    return zip(keys, values).compactMap { key, value in
      if case .string(let text) = value, text == empty { return nil }
      return (key: key, value: value)
    }
  }

  /// The text of an NSURL, joined to its base where it has one. Joins the plain cases only: a path that begins
  /// at the root, and one next to the base's last component.
  func url(depth: Int) -> String? {
    guard isKind(of: "NSURL"), let relative = self["NS.relative"]?.string else { return nil }
    guard depth < 8, let base = self["NS.base"]?.object?.url(depth: depth + 1) else { return relative }
    return URLText.join(base: base, relative: relative)
  }

  /// `NS.object.0`, `NS.object.1` …: how collections that aren't arrays are written at times.
  private func numbered(_ prefix: String) -> [ArchivedValue] {
    // One look at each field: looking each number up would take the square of their number.
    var byNumber: [Int: ArchivedValue] = [:]
    for (key, value) in fields where key.hasPrefix(prefix) {
      if let number = Int(key.dropFirst(prefix.count)) { byNumber[number] = value }
    }
    return (0..<byNumber.count).prefix { byNumber[$0] != nil }.compactMap { byNumber[$0] }
  }
}

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
