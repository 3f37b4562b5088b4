import Foundation
import Testing

/// SwiftPM keeps targets from referring to each other in a circle. Nothing keeps the folders of one target from it, and
/// once they do, none of them can be understood alone.
struct FolderTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources").path(percentEncoded: false)

  static let targets = (try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []

  @Test(arguments: targets) func foldersReferToEachOtherInOneDirection(_ target: String) throws {
    let circles = try TargetFolders("\(Self.sources)/\(target)").circles
    #expect(circles.isEmpty, "\(circles.joined(separator: "\n"))")
  }

  @Test func targetsAreFound() { #expect(Self.targets.count > 10) }

  @Test func namesAreReadFromCodeAlone() {
    let names = SourceNames(
      """
      // Comment
      package struct Outer<Element: Base>: Protocol { struct Inner { var text = "Text \\(Used.self) \\("Deep")" } }
      private enum Hidden { case one }
      extension Extended { static let quotes = #"x"#.count, empty = "" }
      final class Second {}
      """)
    #expect(names.declared == ["Outer", "Second"])
    #expect(
      names.used == [
        "Outer", "Element", "Base", "Protocol", "Inner", "Used", "Hidden", "Extended", "Second",
      ])
  }

  /// Without this, a mistake in the reading would pass every target.
  @Test func aCircleIsFound() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "storescope-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in [
      ("One", "struct One { let two: Two? }"), ("Two", "struct Two { func three() -> Any { Three() } }"),
      ("Three", "struct Three {}\nextension One {}"), ("Four", "struct Four { let one: One }"),
    ] {
      let place = folder.appending(path: name)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try text.write(to: place.appending(path: name + ".swift"), atomically: true, encoding: .utf8)
    }
    let circles = try TargetFolders(folder.path(percentEncoded: false)).circles
    #expect(circles.count == 3)
    #expect(circles.contains { $0.hasPrefix("One uses Two of Two") })
    #expect(!circles.contains { $0.contains("Four") })
  }
}

/// The folders of one target, and which uses which. Files in no folder are one of their own.
private struct TargetFolders {
  /// By folder, the folders whose types it uses; with one example of each.
  private var uses: [String: [String: String]] = [:]

  init(_ path: String) throws {
    var files: [(name: String, folder: String, names: SourceNames)] = []
    let found = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    for name in found.sorted() where name.hasSuffix(".swift") {
      let source = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
      let folder = name.split(separator: "/").dropLast().joined(separator: "/")
      files.append((name, folder.isEmpty ? "(root)" : folder, SourceNames(source)))
    }
    var homes: [String: String] = [:]
    for file in files { for name in file.names.declared { homes[name] = file.folder } }
    for file in files {
      for word in file.names.used.sorted() {
        guard let home = homes[word], home != file.folder else { continue }
        uses[file.folder, default: [:]][home] = "\(word) of \(home) in \(file.name)"
      }
    }
  }

  /// The references that are part of a circle, a line each.
  var circles: [String] {
    uses.keys.sorted().flatMap { folder in
      uses[folder, default: [:]].sorted { $0.key < $1.key }
        .filter { reachable(from: $0.key).contains(folder) }
        .map { "\(folder) uses \($0.value)" }
    }
  }

  private func reachable(from folder: String) -> Set<String> {
    var reached: Set<String> = []
    var rest = [folder]
    while let next = rest.popLast() {
      for other in uses[next, default: [:]].keys where reached.insert(other).inserted { rest.append(other) }
    }
    return reached
  }
}
