import Rendering
import Values

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
    """
    .\\" Made by `storescope man`.
    .TH STORESCOPE 1 "" "storescope \(Application.version)" "User Commands"
    .SH NAME
    storescope \\- inspect the SQLite stores of Core Data, SwiftData and NSPersistentCloudKitContainer
    .SH SYNOPSIS
    .B storescope
    .I COMMAND STORE
    .RI [ ARGUMENTS ]
    .RI [ OPTIONS ]
    .br
    .B storescope
    .I STORE
    .RI [ SQL ]
    .br
    .B storescope
    .BR \\-\\-help " | " \\-\\-version
    .SH DESCRIPTION
    .B storescope
    reads a store without Apple\\(aqs frameworks and shows what\\(aqs in it.
    Reading never changes a byte, a timestamp or a name in the store\\(aqs folder, and shows everything committed in
    its write\\-ahead log.
    .PP
    Results go to standard output, everything else to standard error.
    A store alone opens the shell on a terminal. Otherwise the commands on standard input are run;
    without any it is the same as
    .BR "storescope summary" ,
    which never reads standard input.
    .SH COMMANDS
    \(commands.map(section).joined(separator: "\n"))
    .SH COMMON OPTIONS
    .PP
    Every command takes these except
    .B man
    and
    .BR completions ,
    which print one text.
    \(Self.common.map(entry).joined(separator: "\n"))
    .PP
    Every command that takes a store takes
    .BR \\-\\-model ;
    commands that read it also take
    .BR \\-\\-as\\-of\\-commit .
    \(CommonOptions.store.map(entry).joined(separator: "\n"))
    .SH EXIT STATUS
    .TP
    .B 0
    Done.
    .TP
    .B 1
    Done, and
    .B doctor
    found something at or above
    .BR \\-\\-fail\\-on .
    .TP
    .B 2
    Failed: unreadable, not a Core Data store, refused or damaged.
    .TP
    .B 64
    Wrong usage.
    .SH ENVIRONMENT
    .TP
    .B NO_COLOR
    No color if it is set and not empty.
    .TP
    .BR CLICOLOR_FORCE ", " FORCE_COLOR
    Color in files and pipes, too, if one of them is set and neither empty nor 0.
    .BR \\-\\-color
    and the configuration win over all three.
    .TP
    .BR VISUAL ", " EDITOR
    The program that
    .B edit
    in the shell opens.
    .TP
    .B PAGER
    The program that shows long tables on a terminal;
    .BR less (1)
    if it is not set.
    .TP
    .B COLUMNS
    The width of the terminal, if it differs from the terminal\\(aqs own; if it is exported, also that of tables in a
    pipe or a file, which are as wide as they need to be otherwise.
    .TP
    .BR LC_ALL ", " LC_CTYPE ", " LANG
    Lines and bars are drawn in ASCII if none of them is set to UTF\\-8.
    .SH FILES
    .TP
    .I \\(ti/.config/storescope/config
    Defaults, one line
    .I name = value
    per setting:
    \(Defaults.names.map(Roff.bold).joined(separator: ",\n")).
    .TP
    .I \\(ti/.local/state/storescope/history
    Commands typed in the shell;
    .B XDG_STATE_HOME
    replaces
    .IR \\(ti/.local/state .
    .TP
    .I \\(ti/.config/storescope/queries/*.sql
    Your own saved queries;
    .B XDG_CONFIG_HOME
    replaces
    .IR \\(ti/.config .
    .SH SEE ALSO
    .BR sqlite3 (1)

    """
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
