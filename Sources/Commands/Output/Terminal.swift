import Base
import Rendering

/// What stdout and stderr can do, decided once from the environment and the options.
package struct Terminal {
  /// When output is colored.
  package enum Color: String, Sendable, CaseIterable {
    case auto, always, never
  }

  var outputIsTerminal: Bool
  var errorIsTerminal: Bool
  var hasColor: Bool
  var hasUnicode: Bool
  /// Knows neither escapes nor a cursor.
  var isDumb: Bool
  var size: (columns: Int, rows: Int)?

  /// - Parameters:
  ///   - color: what the user's options or configuration say, which wins over the environment; nil where they are silent.
  ///   - isRedirected: where the result goes elsewhere than to stdout.
  init(color: Color?, isRedirected: Bool = false) {
    outputIsTerminal = !isRedirected && Platform.isTerminal(1)
    errorIsTerminal = Platform.isTerminal(2)
    isDumb = Platform.environment("TERM") == "dumb"
    switch color ?? Self.colorOfEnvironment {
    case .always: hasColor = true
    case .never: hasColor = false
    case .auto: hasColor = outputIsTerminal && !isDumb
    }
    hasUnicode = Self.localeHasUnicode
    size = outputIsTerminal ? Platform.terminalSize(1) : nil
    // A pipe has no width of its own, and columns are dropped for none: what comes behind may be `grep`. Whoever reads it
    // in `less` exports COLUMNS, as for psql and git.
    if !isRedirected, let columns = Platform.environment("COLUMNS").flatMap({ Int($0) }), columns > 0 {
      size = (columns, size?.rows ?? 24)
    }
  }

  /// https://no-color.org, https://bixense.com/clicolors/, https://force-color.org
  private static var colorOfEnvironment: Color {
    func isSet(_ name: String) -> Bool { !["", "0"].contains(Platform.environment(name) ?? "") }
    if !(Platform.environment("NO_COLOR") ?? "").isEmpty { return .never }
    return isSet("CLICOLOR_FORCE") || isSet("FORCE_COLOR") ? .always : .auto
  }

  var style: TextStyle {
    TextStyle(
      width: size?.columns ?? (outputIsTerminal ? 80 : nil), hasColor: hasColor, hasUnicode: hasUnicode)
  }

  /// A message for standard error, in lines that fit the terminal if there is one.
  package static func wrapped(_ text: String, indent: Int = 0) -> String {
    guard Platform.isTerminal(2), let size = Platform.terminalSize(2) else { return text }
    return TerminalText.wrapped(text, to: size.columns, indent: indent)
  }

  /// Whether the locale's text is UTF-8. Bare containers have no locale at all, and terminals that show UTF-8.
  package static var localeHasUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(Platform.environment).first { !$0.isEmpty }
    let name = (locale ?? "UTF-8").lowercased()
    return name.split { ".@".contains($0) }.contains { $0 == "utf-8" || $0 == "utf8" }
  }
}
