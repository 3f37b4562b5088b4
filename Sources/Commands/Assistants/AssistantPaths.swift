import Base
import Evidence

/// How paths are spelled to an assistant: without the names of people, after whom the folders in `/Users` and `/home` are
/// called. What it has seen it can pass back.
final class AssistantPaths {
  private let marks: Marks
  /// The names of the marks that were shown.
  private(set) var names: [String: String]

  init(_ marks: Marks, _ names: [String: String] = [:]) { (self.marks, self.names) = (marks, names) }

  /// - Parameter isPath: whether the text is a path and nothing else: then the name of a folder may have blanks and quotes.
  func spelled(_ text: String, isPath: Bool = false) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "/")) else { return text }
    let home = AssistantFolders.home.map { Array($0.utf8) }
    var result: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.first {
      if let home, rest.starts(with: home), isPath ? result.isEmpty : Self.isEdge(result.last),
        Self.isEdge(rest.dropFirst(home.count).first, orIn: "/")
      {
        result.append(UInt8(ascii: "~"))
        rest = rest.dropFirst(home.count)
      } else if let parent = Self.parents.first(where: rest.starts),
        let name = Self.name(rest.dropFirst(parent.count), endsAtSlash: isPath)
      {
        result += parent + mark(name).utf8
        rest = rest.dropFirst(parent.count + name.utf8.count)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The path that was spelled so.
  func path(_ spelled: String) -> String {
    // By bytes, as the system takes paths.
    let parts = spelled.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.map { String(Substring($0)) }.map { names[$0] ?? $0 }.joined(separator: "/")
  }

  private func mark(_ name: String) -> String {
    let mark = marks.mark(name, kind: "user")
    names[mark] = name
    return mark
  }

  private static let parents = ["/Users/", "/home/"].map { Array($0.utf8) }
  /// They are of everybody: https://support.apple.com/guide/mac-help/mchlp1122/mac
  private static let ofAll: Set = ["Shared", "Guest"]

  /// Whose folder it is; nil for nobody's.
  private static func name(_ rest: ArraySlice<UInt8>, endsAtSlash: Bool) -> String? {
    var name = rest.prefix { endsAtSlash ? $0 != UInt8(ascii: "/") : !isEdge($0, orIn: "/") }
    // A sentence may end with it.
    while !endsAtSlash, name.last == UInt8(ascii: ".") { name.removeLast() }
    let text = String(decoding: name, as: UTF8.self)
    return text.isEmpty || ofAll.contains(text) ? nil : text
  }

  /// Whether a path may begin behind it, or end before it.
  private static func isEdge(_ byte: UInt8?, orIn others: String = "") -> Bool {
    byte.map { $0 <= 0x20 || "'\"()[]<>=,;:`".utf8.contains($0) || others.utf8.contains($0) } ?? true
  }
}

/// Where an assistant may look.
struct AssistantFolders: Sendable {
  /// Real paths; empty for no limit. They are searched if an assistant names no place.
  let places: [String]

  init(_ named: [String]) throws {
    places = try named.map { name in
      guard FileReader.kind(of: name) == .folder, let path = Platform.realPath(name) else {
        throw StoreScopeError.unreadable(name, "there is no such folder", kind: .notFound)
      }
      return path
    }
  }

  /// - Throws: `StoreScopeError` if what was named isn't in a folder that may be looked into.
  func path(_ named: String) throws -> String {
    let path = Self.home.map { named.hasPrefix("~/") ? $0 + named.dropFirst() : named } ?? named
    guard !places.isEmpty else { return path }
    let file = StoreSource.file(of: path)
    // SQLite reads what is next to a store as part of it.
    let others = SideFiles.suffixes.map { file + $0 }.filter { FileStatus(ofLink: $0) != nil }
    if FileStatus(ofLink: file) == nil, isInside(PathText.split(file).folder ?? ".") {
      throw StoreScopeError.unreadable(named, "there is no such file", kind: .notFound)
    }
    guard ([file] + others).allSatisfy(isInside) else {
      throw StoreScopeError(
        .refused, named, "isn't in a folder that this server may look into",
        advice: "these are: \(places.joined(separator: ", "))")
    }
    return path
  }

  private func isInside(_ path: String) -> Bool {
    guard let real = Platform.realPath(path) else { return false }
    return places.contains { real == $0 || real.hasPrefix($0 == "/" ? "/" : $0 + "/") }
  }

  /// The user's own, which `~` stands for.
  static var home: String? {
    let home = Platform.withoutLastSlashes(Platform.homeFolder)
    return home.utf8.count > 1 ? home : nil
  }
}
