package import Rendering
import Values

/// What holds where a command's own options say nothing: from the configuration file, or set in the shell.
package struct Defaults: Sendable, Equatable {
  package var format: Format?
  package var limit: Limit = .automatic
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

  package enum Limit: Sendable, Equatable {
    /// 100 rows in tables, all of them elsewhere.
    case automatic
    case rows(Int)
    case none
  }

  package init() {}

  /// The names that `set` takes.
  package static let names = ["format", "limit", "vertical", "timeout", "pager", "timing", "color", "time"]

  /// Sets one of `names` from words, as the configuration file and the shell have them.
  package mutating func set(_ name: String, to word: String) throws(UsageError) {
    switch name {
    case "format": format = try Self.format(word)
    case "limit": limit = try Self.limit(word)
    case "vertical": isVertical = try Self.isOn(word, name, isVertical)
    case "timeout": timeout = try Self.seconds(word)
    case "pager": pages = try Self.isOn(word, name, pages)
    case "timing": showsTiming = try Self.isOn(word, name, showsTiming)
    case "color": color = try Self.color(word)
    case "time": isLocal = try Self.isLocal(word)
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
    case "limit":
      switch limit {
      case .automatic: "auto"
      case .rows(let rows): String(rows)
      case .none: "none"
      }
    case "vertical": isVertical ? "on" : "off"
    case "timeout": timeout == 0 ? "none" : String(timeout)
    case "pager": pages ? "on" : "off"
    case "timing": showsTiming ? "on" : "off"
    case "time": isLocal ? "local" : "utc"
    default: (color ?? .auto).rawValue
    }
  }

  private static func format(_ word: String) throws(UsageError) -> Format {
    guard let format = Format(rawValue: word) else {
      throw .badSetting(word, "format", Format.common.map(\.rawValue))
    }
    return format
  }

  private static func limit(_ word: String) throws(UsageError) -> Limit {
    switch word {
    case "none": return .none
    case "auto": return .automatic
    default:
      guard let rows = Int(word), rows >= 0 else {
        throw .conflict("'limit' takes a whole number from 0 up, 'none' or 'auto', not '\(word)'.")
      }
      return .rows(rows)
    }
  }

  private static func isLocal(_ word: String) throws(UsageError) -> Bool {
    switch word.lowercased() {
    case "local": return true
    case "utc": return false
    default: throw .badSetting(word, "time", ["utc", "local"])
    }
  }

  private static func seconds(_ word: String) throws(UsageError) -> Int {
    if word == "none" { return 0 }
    guard let seconds = Int(word), seconds >= 0 else {
      throw .conflict("'timeout' takes a whole number of seconds or 'none', not '\(word)'.")
    }
    return seconds
  }

  private static func color(_ word: String) throws(UsageError) -> Terminal.Color {
    switch word {
    case "on", "yes", "true", "1": return .auto
    case "off", "no", "false", "0": return .never
    default:
      guard let color = Terminal.Color(rawValue: word) else {
        throw .badSetting(word, "color", Terminal.Color.allCases.map(\.rawValue))
      }
      return color
    }
  }

  private static func isOn(_ word: String, _ name: String, _ isOn: Bool) throws(UsageError) -> Bool {
    switch word {
    case "toggle": return !isOn
    case "on", "yes", "true", "1": return true
    case "off", "no", "false", "0": return false
    default: throw .badSetting(word, name, ["on", "off"])
    }
  }
}
