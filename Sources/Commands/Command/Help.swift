import Rendering

/// Help texts, from the command table.
package enum Help {
  package static var overview: String {
    """
    storescope reads the SQLite stores of Core Data and SwiftData and shows what's
    in them, without Apple's frameworks and without changing a byte.

    Usage:
      storescope COMMAND STORE [ARGUMENTS] [OPTIONS]
      storescope STORE      open the shell; without a terminal, print the summary

    Commands:
    \(columns(CommandTable.all.map { ($0.name, $0.summary) }, indent: 2, width: 80))
    'storescope COMMAND --help' lists a command's arguments and options. Tables show
    the first 100 rows and how many more there are; --limit N shows N of them.
    --json, --format ndjson and --format csv print everything.

    Examples:
      storescope demo                           make a store to try things on
      storescope summary App.store              what's in it
      storescope rows App.store Person --json   its people, with the model's names
      storescope history App.store --by author  changes per author

    Exit codes: 0 done, 1 'doctor' found something, 2 failed, 64 wrong usage.

    """
  }

  /// - Parameter width: the terminal's; nil where there is none.
  package static func text(for command: Command, width: Int? = nil) -> String {
    let width = min(max(width ?? 80, 40), 100)
    let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."
    var sections = [TerminalText.wrapped(summary, to: width)]
    sections.append("Usage:\n  " + command.usage)
    if !command.arguments.isEmpty {
      sections.append("Arguments:\n" + list(command.arguments.map { ($0.name, $0.help) }, width))
    }
    if !command.options.isEmpty { sections.append("Options:\n" + list(command.options, width)) }
    if !command.discussion.isEmpty { sections.append(flowing(command.discussion, to: width)) }
    sections.append("Common options:\n" + list(command.commonOptions, width))
    return sections.joined(separator: "\n\n") + "\n"
  }

  /// Paragraphs in lines that fit; what is indented stays as it is.
  static func flowing(_ text: String, to width: Int) -> String {
    var lines: [String] = []
    var paragraph: [Substring] = []
    func end() {
      guard !paragraph.isEmpty else { return }
      lines.append(TerminalText.wrapped(paragraph.joined(separator: " "), to: width))
      paragraph = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("  storescope ") {
        end()
        lines.append(commandLine(line, to: width))
      } else if line.isEmpty || line.hasPrefix(" ") {
        end()
        let indent = line.prefix { $0 == " " }
        lines.append(
          indent
            + TerminalText.wrapped(String(line.dropFirst(indent.count)), to: width, indent: indent.count + 2))
      } else {
        paragraph.append(line)
        if line.hasSuffix(":") { end() }
      }
    }
    end()
    return lines.joined(separator: "\n")
  }

  /// Two columns, a line each, or more where the second doesn't fit into `width`.
  package static func columns(_ entries: [(String, String)], indent: Int = 0, width: Int? = nil) -> String {
    let names = entries.map(\.0.count).max() ?? 0
    let second = indent + names + 2
    return entries.map { name, text in
      String(repeating: " ", count: indent) + name + String(repeating: " ", count: names - name.count + 2)
        + (width.map { TerminalText.wrapped(text, to: $0, indent: second) } ?? text) + "\n"
    }.joined()
  }

  /// A command that is too long is continued as shells have it; never within quotes.
  private static func commandLine(_ line: Substring, to width: Int) -> String {
    var lines: [String] = []
    var (current, word, quote) = ("", "", Character?.none)
    func add() {
      if current.count + word.count > width - 2, current.contains(where: { $0 != " " }) {
        lines.append(current + "\\")
        current = "      "
      }
      current += word
      word = ""
    }
    for character in line {
      word.append(character)
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == " " {
        add()
      }
    }
    add()
    return (lines + [current]).joined(separator: "\n")
  }

  private static func list(_ options: [OptionDefinition], _ width: Int) -> String {
    list(
      options.map { option in
        // Many choices are for the second column.
        guard option.usage.count > mostInFirst, !option.choices.isEmpty else {
          return (option.usage, option.help)
        }
        var short = option
        short.choices = []
        return (short.usage, option.help + ": " + option.choices.joined(separator: ", "))
      }, width)
  }

  private static func list(_ entries: [(String, String)], _ width: Int) -> String {
    let first = min(mostInFirst, entries.map(\.0.count).max() ?? 0)
    let blanks = String(repeating: " ", count: first + 4)
    return entries.map { name, help in
      let help = TerminalText.wrapped(help, to: width, indent: first + 4)
      return name.count > first
        ? "  \(name)\n\(blanks)\(help)"
        : "  \(name)\(String(repeating: " ", count: first - name.count))  \(help)"
    }.joined(separator: "\n")
  }

  /// The width of the names.
  private static let mostInFirst = 26
}
