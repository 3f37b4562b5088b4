import Rendering
import Values

/// What stdout and stderr can do, decided once from the environment and the options.
struct Terminal {
  var outputIsTerminal: Bool
  var errorIsTerminal: Bool
  var hasColor: Bool
  var hasUnicode: Bool
  var size: (columns: Int, rows: Int)?

  /// https://no-color.org; a `dumb` terminal knows no escapes.
  init(noColor: Bool) {
    outputIsTerminal = Platform.isTerminal(1)
    errorIsTerminal = Platform.isTerminal(2)
    let isDumb = Platform.environment("TERM") == "dumb"
    let refused = !(Platform.environment("NO_COLOR") ?? "").isEmpty
    hasColor = outputIsTerminal && !noColor && !refused && !isDumb
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(Platform.environment).first { !$0.isEmpty }
    let name = (locale ?? "UTF-8").lowercased()
    // The plain C locale is what bare containers have, and their terminals show UTF-8 all the same.
    hasUnicode = name.contains("utf-8") || name.contains("utf8") || name == "c" || name == "posix"
    size = outputIsTerminal ? Platform.terminalSize(1) : nil
    if outputIsTerminal, let columns = Platform.environment("COLUMNS").flatMap({ Int($0) }), columns > 0 {
      size = (columns, size?.rows ?? 24)
    }
  }

  var style: TextStyle {
    TextStyle(
      width: outputIsTerminal ? size?.columns ?? 80 : nil, hasColor: hasColor, hasUnicode: hasUnicode)
  }
}
