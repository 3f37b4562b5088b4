import SystemCalls
import Values

/// The SQLite databases in a folder that was given in place of a store: an app's container, or where a copy was unpacked.
struct StoresInFolder {
  private let folder: String
  /// The nearest first.
  private(set) var paths: [String] = []
  private var hasMore = false

  // `AppData/Library/Application Support/App.store` of a container is four folders down. Nobody waits for a whole disk.
  private static let deepest = 5
  private static let mostNames = 2000
  private static let mostNamed = 5

  init(_ folder: String) {
    self.folder = folder
    var level = [Platform.withoutLastSlashes(folder.hasSuffix("/.") ? String(folder.dropLast()) : folder)]
    var namesLeft = Self.mostNames
    for _ in 0..<Self.deepest where !level.isEmpty {
      var next: [String] = []
      for folder in level {
        guard let names = try? FileReader.names(in: folder, limit: namesLeft) else {
          hasMore = true
          continue
        }
        namesLeft -= names.count
        // Hidden folders hold what belongs to a store, or to a tool.
        for name in names where !name.hasPrefix(".") {
          let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
          switch FileStatus(ofLink: path)?.kind {
          case .folder: next.append(path)
          case .file where StoreHeader.isDatabase(path): paths.append(path)
          default: break
          }
        }
      }
      level = next
    }
    if !level.isEmpty { hasMore = true }
  }

  /// What to say to one who gave the folder.
  var error: StoreScopeError {
    // Names come from whoever packed the folder, and what stands there is pasted into a shell.
    let nearest = paths.first.map(ShellQuotes.word) ?? ""
    let (problem, advice): (String, String) =
      switch (paths.count, hasMore) {
      case (0, false): ("it is a folder without an SQLite database", "pass a store's file")
      case (0, true): ("it is a folder", "pass the store file inside it")
      case (1, _):
        ("it is a folder", "Open the store in it: storescope shell \(nearest)")
      default:
        (
          "it is a folder that holds \(Sentence.count(paths.count, "database"))",
          "Pass one of them: \(list)"
        )
      }
    return StoreScopeError.unreadable(folder, problem, kind: .foreign, advice: advice)
  }

  private var list: String {
    let named = paths.prefix(Self.mostNamed).map(ShellQuotes.word).joined(separator: ", ")
    return paths.count > Self.mostNamed ? "\(named) and \(paths.count - Self.mostNamed) more" : named
  }
}
