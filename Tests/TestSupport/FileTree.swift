import Foundation
import SystemCalls
import Values

/// Every file below a folder, by its path in it, with its hash.
package enum FileTree {
  /// - Parameter isWanted: whether a path below the folder counts.
  package static func hashes(_ folder: String, where isWanted: (String) -> Bool = { _ in true }) throws
    -> [String: String]
  {
    var hashes: [String: String] = [:]
    guard let names = FileManager.default.enumerator(atPath: folder) else { return hashes }
    for case let name as String in names where isWanted(name) {
      var isFolder: ObjCBool = false
      let path = "\(folder)/\(name)"
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
        continue
      }
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      hashes[name] = data.withUnsafeBytes { SHA256.hexadecimal(of: $0) }
    }
    return hashes
  }
}
