import Rendering
import SystemCalls

/// What stdout and stderr can do, decided once from the environment and the options.
package struct Terminal {
  var outputIsTerminal: Bool
  var errorIsTerminal: Bool
  var hasColor: Bool
  var hasUnicode: Bool
  /// Knows neither escapes nor a cursor.
  var isDumb: Bool
  var size: (columns: Int, rows: Int)?

  /// https://no-color.org; a `dumb` terminal knows no escapes.
  /// `isRedirected` where the result goes elsewhere than to stdout.
  init(noColor: Bool, isRedirected: Bool = false) {
    outputIsTerminal = !isRedirected && Platform.isTerminal(1)
    errorIsTerminal = Platform.isTerminal(2)
    isDumb = Platform.environment("TERM") == "dumb"
    let refused = !(Platform.environment("NO_COLOR") ?? "").isEmpty
    hasColor = outputIsTerminal && !noColor && !refused && !isDumb
    hasUnicode = Self.localeHasUnicode
    size = outputIsTerminal ? Platform.terminalSize(1) : nil
    if outputIsTerminal, let columns = Platform.environment("COLUMNS").flatMap({ Int($0) }), columns > 0 {
      size = (columns, size?.rows ?? 24)
    }
  }

  var style: TextStyle {
    TextStyle(
      width: outputIsTerminal ? size?.columns ?? 80 : nil, hasColor: hasColor, hasUnicode: hasUnicode)
  }

  /// Whether the locale's text is UTF-8. Bare containers have no locale at all, and terminals that show UTF-8.
  package static var localeHasUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(Platform.environment).first { !$0.isEmpty }
    let name = (locale ?? "UTF-8").lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }
}
