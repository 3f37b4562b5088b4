/// Text for the typesetter of manual pages: https://man7.org/linux/man-pages/man7/groff_man.7.html
enum Roff {
  /// One line of running text.
  static func text(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\(rs"
      // Else it is set as a hyphen, which nobody can search for or paste.
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "`": result += "\\(ga"
      case "\"": result += "\\(dq"
      case "\n": result += " "
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default: result += "\\[u\(hexadecimal(scalar.value))]"
      }
    }
    // A dot at a line's beginning is a request.
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  static func bold(_ text: String) -> String { "\\fB\(Self.text(text))\\fR" }
  static func italic(_ text: String) -> String { "\\fI\(Self.text(text))\\fR" }

  /// Paragraphs, and lines that are indented as they stand.
  static func paragraphs(_ text: String) -> String {
    var result: [String] = []
    for paragraph in split(text) {
      let lines = paragraph.split(separator: "\n").map(String.init)
      let plain = lines.prefix { !$0.hasPrefix(" ") }
      if !plain.isEmpty { result += [".PP"] + plain.map(Self.text) }
      let shown = lines.dropFirst(plain.count)
      if !shown.isEmpty {
        result += [".RS 4", ".nf"] + shown.map { Self.text(String($0.drop { $0 == " " })) } + [".fi", ".RE"]
      }
    }
    return result.joined(separator: "\n")
  }

  private static func split(_ text: String) -> [String] {
    var paragraphs: [String] = [""]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        paragraphs.append("")
      } else {
        paragraphs[paragraphs.count - 1] += line + "\n"
      }
    }
    return paragraphs.filter { !$0.isEmpty }
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
