import Base
package import Rendering

/// What holds where a command's own options say nothing: from the configuration file, or set in the shell.
package struct Defaults: Sendable, Equatable {
  package var format: Format?
  /// How many rows are printed, `.max` for all; nil for 100 in tables and all of them elsewhere.
  package var limit: Int?
  package var pages = true
  package var color: Terminal.Color?
  /// Whether tables are printed as one block per row.
  package var isVertical = false
  /// How many seconds the user's own SQL may take; 0 for no limit.
  package var timeout = CommonOptions.defaultTimeout
  /// Whether the shell says how long each command took.
  package var showsTiming = false
  /// Whether times for people are in the local time zone.
  package var isLocal = false

  package init() {}

  /// The names that `set` takes.
  package static let names = ["format", "limit", "vertical", "timeout", "pager", "timing", "color", "time"]

  private static let switches = [
    "on": true, "yes": true, "true": true, "1": true, "off": false, "no": false, "false": false, "0": false,
  ]

  /// Sets one of `names` from words, as the configuration file and the shell have them.
  package mutating func set(_ name: String, to word: String) throws(UsageError) {
    func known<Value>(_ value: Value?, _ choices: [String]) throws(UsageError) -> Value {
      guard let value else { throw .badSetting(word, name, choices) }
      return value
    }
    func isOn(_ now: Bool) throws(UsageError) -> Bool {
      try known(word == "toggle" ? !now : Self.switches[word], ["on", "off"])
    }
    func number(_ sentence: String) throws(UsageError) -> Int {
      guard let number = Int(word), number >= 0 else { throw .conflict("\(sentence), not '\(word)'.") }
      return number
    }
    switch name {
    case "format": format = try known(Format(rawValue: word), Format.common.map(\.rawValue))
    case "limit":
      switch word {
      case "none": limit = .max
      case "auto": limit = nil
      default: limit = try number("'limit' takes a whole number from 0 up, 'none' or 'auto'")
      }
    case "vertical": isVertical = try isOn(isVertical)
    case "timeout":
      timeout = word == "none" ? 0 : try number("'timeout' takes a whole number of seconds or 'none'")
    case "pager": pages = try isOn(pages)
    case "timing": showsTiming = try isOn(showsTiming)
    case "color":
      let switched: Terminal.Color? = Self.switches[word].map { $0 ? .auto : .never }
      color = try known(
        switched ?? Terminal.Color(rawValue: word), Terminal.Color.allCases.map(\.rawValue))
    case "time": isLocal = try known(["local": true, "utc": false][word.lowercased()], ["utc", "local"])
    default:
      let suggestion = Suggestion.sentence(for: name, in: Self.names)
      throw .conflict(
        "There is no setting '\(name)'.\(suggestion) The settings are \(Self.names.joined(separator: ", ")).")
    }
  }

  /// What `set` would take to make it as it is.
  package func text(of name: String) -> String {
    switch name {
    case "format": (format ?? .table).rawValue
    case "limit": limit.map { $0 == .max ? "none" : String($0) } ?? "auto"
    case "vertical": isVertical ? "on" : "off"
    case "timeout": timeout == 0 ? "none" : String(timeout)
    case "pager": pages ? "on" : "off"
    case "timing": showsTiming ? "on" : "off"
    case "time": isLocal ? "local" : "utc"
    default: (color ?? .auto).rawValue
    }
  }
}

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

  /// Reads the file, ignoring empty lines and lines that begin with `#`. Returns the built-in defaults if there is no file.
  static func read() throws -> Defaults {
    var defaults = Defaults()
    guard FileReader.kind(of: path) != nil else { return defaults }
    let text = String(decoding: try FileReader.bytes(of: path, limit: 1 << 16), as: UTF8.self)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      func failure(_ reason: String) -> StoreScopeError {
        StoreScopeError(
          .invalid, "'\(path)', line \(index + 1), can't be used: \(reason)", about: path,
          advice: "Fix it or pass --no-config")
      }
      let line = line.trimmed
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
      guard parts.count == 2 else { throw failure("'\(line)' is not of the form 'name = value'.") }
      do { try defaults.set(String(parts[0]), to: String(parts[1])) } catch {
        throw failure(error.description)
      }
    }
    return defaults
  }
}
