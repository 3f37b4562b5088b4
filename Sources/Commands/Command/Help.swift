import Rendering

/// Help texts, from the command table.
package enum Help {
  /// Of the narrowest terminal that people still use; also where there is none.
  package static let narrowest = 80
  /// Longer lines are hard to read.
  private static let widest = 110

  /// Columns for text that people read on standard output.
  package static var width: Int {
    min(widest, max(narrowest, Terminal(color: nil).size?.columns ?? narrowest))
  }

  /// One screen, with the commands that most questions need; `help commands` has all.
  package static func overview(width: Int = narrowest) -> String {
    """
    storescope shows what Core Data and SwiftData stores hold, and how they sync.

    Usage:
      storescope STORE                    the shell; without a terminal, the summary
      storescope COMMAND STORE [OPTIONS]  one answer


    """ + columns(CommandTable.first.map { ($0.name, $0.summary) }, indent: 2, width: width)
      + flowed(
        """

        More: 'storescope help commands' lists all commands, 'storescope COMMAND --help' explains one, and 'storescope \
        help options' has what every command takes. 'storescope demo' makes a store to try.
        Exit codes: 0 done, 1 'doctor' found an error or --exit-code something, 2 failed, 64 wrong usage

        """, width: width)
  }

  /// Entries under their groups' titles, all in the same two columns.
  package static func groups(_ groups: [(String, [(String, String)])], width: Int) -> String {
    let longest = groups.flatMap(\.1).map(\.0.count).max() ?? 0
    return groups.map { title, entries in
      "\(title):\n" + columns(entries, indent: 2, width: width, first: longest) + "\n"
    }.joined()
  }

  package static func text(for command: Command, width: Int = narrowest) -> String {
    var sections = [
      flowed(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".", width: width)
    ]
    sections.append("Usage:\n  " + command.usage)
    if !command.arguments.isEmpty {
      sections.append("Arguments:\n" + list(command.arguments.map { ($0.name, $0.help) }, width))
    }
    if !command.listedOptions.isEmpty {
      sections.append("Options:\n" + list(command.listedOptions.map { entry($0, width) }, width))
    }
    if !command.printsText {
      let globals = "--json, --format, --limit, --color" + (command.store == .required ? ", --model" : "")
      sections.append(
        flowed("Global options (\(globals) and more): 'storescope help options'", width: width))
    }
    if !command.discussion.isEmpty { sections.append(flowed(command.discussion, width: width)) }
    return sections.joined(separator: "\n\n") + "\n"
  }

  /// Two columns, a line each, or more where the second doesn't fit into `width`.
  /// - Parameter first: the width of the first column; nil for as much as it needs.
  package static func columns(
    _ entries: [(String, String)], indent: Int = 0, width: Int? = nil, first: Int? = nil
  ) -> String {
    let names = first ?? entries.map(\.0.count).max() ?? 0
    let second = indent + names + 2
    return entries.map { name, text in
      String(repeating: " ", count: indent) + name + String(repeating: " ", count: names - name.count + 2)
        + (width.map { TerminalText.wrapped(text, to: $0, indent: second) } ?? text) + "\n"
    }.joined()
  }

  /// An option with more choices than fit a line has them behind its text.
  private static func entry(_ option: OptionDefinition, _ width: Int) -> (String, String) {
    guard option.usage.count > width - 4, let value = option.value else { return (option.usage, option.help) }
    var short = option
    short.choices = []
    return (short.usage, "\(option.help); \(value) is \(option.choices.joined(separator: ", "))")
  }

  /// The same, with names that are much longer than the others in lines of their own.
  static func list(_ entries: [(String, String)], _ width: Int) -> String {
    let first = min(28, entries.map(\.0.count).max() ?? 0)
    let blanks = String(repeating: " ", count: first + 4)
    return entries.map { name, help in
      let help = TerminalText.wrapped(help, to: width, indent: first + 4)
      return name.count > first
        ? "\(TerminalText.wrapped("  \(name)", to: width, indent: 6))\n\(blanks)\(help)"
        : "  \(name)\(String(repeating: " ", count: first - name.count))  \(help)"
    }.joined(separator: "\n")
  }

  /// Paragraphs in lines of that width. Lines that begin with blanks stand as they are; those of a list go on below
  /// themselves.
  package static func flowed(_ text: String, width: Int) -> String {
    var lines: [String] = []
    var paragraph: [Substring] = []
    func end() {
      if !paragraph.isEmpty {
        lines.append(TerminalText.wrapped(paragraph.joined(separator: " "), to: width))
      }
      paragraph = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(" ") {
        end()
        let isCommand = line.hasPrefix("  storescope ") || line.hasPrefix("  --")
        lines.append(isCommand ? String(line) : TerminalText.wrapped(String(line), to: width, indent: 4))
      } else if line.isEmpty {
        end()
        lines.append("")
      } else {
        paragraph.append(line)
        // A heading stands alone.
        if line.hasSuffix(":"), paragraph.count == 1, line.count < 40 { end() }
      }
    }
    end()
    return lines.joined(separator: "\n")
  }
}
