import Base
import Rendering

extension Command {
  static let man = Command(
    "man", summary: "print the manual page", store: .none,
    printsRows: false,
    discussion: """
      Prints the source of storescope(1) for man(1).

      Examples:
        storescope man > storescope.1
        storescope man | man -l -
      """,
    formats: Command.textFormats,
    documents: [DocumentForm(store: .never, [.init("page", .text, "the source of the manual page")])]
  ) { invocation in
    let text = ManualPage(commands: CommandTable.all).text
    // Its source is nothing to read.
    let block: Document.Block =
      invocation.isOnTerminal
      ? .text("'storescope man | man -l -' shows the manual page.") : .verbatim(text)
    return Outcome(Document(command: "man", fields: [.init("page", .text(text))], blocks: [block]))
  }
}

/// storescope(1), made from the command table.
struct ManualPage {
  let commands: [Command]

  var text: String {
    Template(PackageResources.storescope_1).filled([
      "version": Application.version,
      "commands": commands.map(section).joined(separator: "\n"),
      "common": Self.common.map(entry).joined(separator: "\n"),
      "store": CommonOptions.store.map(entry).joined(separator: "\n"),
      "settings": Defaults.names.map(Roff.bold).joined(separator: ",\n"),
    ])
  }

  private static let common = CommonOptions.output(of: .summary) + [CommonOptions.help]

  private func section(_ command: Command) -> String {
    var lines = [
      ".SS \(Roff.text(command.name))",
      Roff.text(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."),
    ]
    lines += [".PP", usage(command)]
    for argument in command.arguments {
      lines += [".TP", Roff.italic(argument.name), Roff.text(sentence(argument.help))]
    }
    let formats =
      command.formats == Command.summary.formats ? [] : CommonOptions.output(of: command).prefix(1)
    lines += (command.options + formats).map(entry)
    if !command.discussion.isEmpty { lines.append(Roff.paragraphs(command.discussion)) }
    return lines.joined(separator: "\n")
  }

  /// The name in bold, what is replaced in italics.
  private func usage(_ command: Command) -> String {
    let words = command.usage.split(separator: " ").map(String.init)
    return words.enumerated().map { $0 < 2 ? Roff.bold($1) : Roff.italic($1) }.joined(separator: " ")
  }

  private func entry(_ option: OptionDefinition) -> String {
    var name = Roff.bold("--" + option.name)
    if let short = option.short { name = Roff.bold("-\(short)") + ", " + name }
    if let value = option.value {
      name +=
        " "
        + (option.choices.isEmpty ? Roff.italic(value) : option.choices.map(Roff.bold).joined(separator: "|"))
    }
    return ".TP\n\(name)\n\(Roff.text(sentence(option.help)))"
  }

  private func sentence(_ help: String) -> String {
    help.prefix(1).uppercased() + help.dropFirst() + (help.hasSuffix("…") ? "" : ".")
  }
}

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
