import SystemCalls
import Values

/// The user's own defaults: lines `name = value` in `~/.config/storescope/config`.
/// https://specifications.freedesktop.org/basedir-spec/latest/
package enum Configuration {
  static var path: String { folder + "/config" }

  /// Where the configuration and the user's own queries are.
  static var folder: String {
    let home = Platform.environment("HOME") ?? ""
    let configuration = Platform.environment("XDG_CONFIG_HOME").flatMap { $0.isEmpty ? nil : $0 }
    return (configuration ?? home + "/.config") + "/storescope"
  }

  /// What the file says; what is built in where there is no such file.
  static func read() throws -> Defaults {
    guard FileReader.kind(of: path) != nil else { return Defaults() }
    let bytes = try FileReader.bytes(of: path, limit: 1 << 16)
    do { return try parse(String(decoding: bytes, as: UTF8.self)) } catch {
      throw StoreScopeError(
        .invalid, "'\(path)', line \(error.line), can't be used: \(error.reason)", about: path,
        advice: "Fix it or pass --no-config")
    }
  }

  struct LineError: Error, Equatable {
    /// Counted from 1.
    var line: Int
    /// A sentence.
    var reason: String
  }

  /// Lines `name = value`; empty lines and those that begin with `#` say nothing.
  static func parse(_ text: String) throws(LineError) -> Defaults {
    var defaults = Defaults()
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.trimmed
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
      guard parts.count == 2 else {
        throw LineError(line: index + 1, reason: "'\(line)' is not of the form 'name = value'.")
      }
      do { try defaults.set(String(parts[0]), to: String(parts[1])) } catch {
        throw LineError(line: index + 1, reason: error.description)
      }
    }
    return defaults
  }
}
