package import Rendering
import Values

/// Puts the commands that texts quote into the terms of the place where they are read: in the shell without `storescope`
/// and STORE, elsewhere with the store that is meant, so that they can be pasted. The texts themselves all quote them as
/// `storescope COMMAND STORE …`.
package struct CommandWording: Sendable {
  package var place: Completer.Place
  /// The store that is open, or that the words typed name.
  package var store: String?

  package init(place: Completer.Place, store: String? = nil) {
    self.place = place
    self.store = store
  }

  private static let mark = "storescope "
  /// What stands for a store in texts.
  package static let standIns: Set<Substring> = ["STORE", "App.store"]

  package func worded(_ text: String) -> String {
    var text = text
    if place == .shell {
      // SQL that is typed directly has no options.
      text = text.replacing(
        "--timeout SECONDS gives it more time, --timeout 0 as much as it needs",
        with: "'timeout SECONDS' gives it more time, 'timeout none' as much as it needs")
    }
    var result = ""
    var rest = text[...]
    while let mark = rest.firstRange(of: Self.mark) {
      let opening = rest[..<mark.lowerBound].last ?? result.last
      result += rest[..<mark.lowerBound]
      rest = rest[mark.upperBound...]
      let begins = opening.map { " '(`\"\n:".contains($0) } ?? true
      guard begins, let words = command(&rest, isQuoted: opening == "'") else {
        result += Self.mark
        continue
      }
      // Quotes in quotes of the same kind can't be pasted.
      if opening == "'", let text = Self.unquoted(words + rest) {
        result.removeLast()
        (result, rest) = (result + text.command, text.rest)
        continue
      }
      result += words
    }
    return result + rest
  }

  /// The beginning of a command as it is typed here, taken off the text; nil if the text names none.
  private func command(_ rest: inout Substring, isQuoted: Bool) -> String? {
    let name = Self.word(rest)
    if place == .shell, ["--help", "help"].contains(name) || name == "COMMAND" {
      rest = rest.dropFirst(name.count)
      let asks = name == "COMMAND" && rest.hasPrefix(" --help")
      if asks { rest = rest.dropFirst(" --help".count) }
      return asks ? "help COMMAND" : name == "COMMAND" ? nil : "help"
    }
    guard let command = CommandTable.command(named: String(name)) else { return nil }
    if command.name == Command.shell.name {
      let next = Self.word(rest.dropFirst(name.count + 1))
      guard place == .shell, !next.isEmpty, !Self.standIns.contains(next) else { return nil }
      rest = rest.dropFirst(name.count)
      return "open"
    }
    rest = rest.dropFirst(name.count)
    if rest.hasPrefix(" --help") {
      if place == .program { return Self.mark + name }
      rest = rest.dropFirst(" --help".count)
      return "help " + name
    }
    guard command.store == .required else { return (place == .shell ? "" : Self.mark) + name }
    let next = rest.hasPrefix(" ") ? Self.word(rest.dropFirst()) : ""
    let isStandIn = Self.standIns.contains(next)
    switch place {
    case .shell:
      let own = store.map { " " + ShellQuotes.word($0) }
      if isStandIn {
        rest = rest.dropFirst(next.count + 1)
      } else if let own, rest.hasPrefix(own) {
        rest = rest.dropFirst(own.count)
      }
      return String(name)
    case .program:
      guard let store else { return Self.mark + name }
      let isLeftOut = isQuoted && (rest.hasPrefix("'") || next.hasPrefix("-"))
      if next == "STORE" { rest = rest.dropFirst(next.count + 1) }
      return Self.mark + name + (next == "STORE" || isLeftOut ? " " + ShellQuotes.readable(store) : "")
    }
  }

  /// A command with a word in single quotes, and what follows the quote that ends it; nil without such a word.
  /// - Parameter text: what follows the quote in front of the command.
  private static func unquoted(_ text: String) -> (command: Substring, rest: Substring)? {
    var (inner, previous): (Character?, Character) = (nil, "'")
    var hasSingle = false
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      let next = text.index(after: index)
      if let quote = inner {
        if character == quote { inner = nil }
      } else if character == "\\", next < text.endIndex {
        // As in 'Tom'\''s': behind the quote that ends a word's quotes, they begin again.
        previous = " "
        index = text.index(after: next)
        continue
      } else if character == "\"" || character == "'" && " =".contains(previous) {
        inner = character
        hasSingle = hasSingle || character == "'"
      } else if character == "'", next == text.endIndex || !text[next].isLetter && text[next] != "\\" {
        return hasSingle ? (text[..<index], text[next...]) : nil
      }
      previous = character
      index = next
    }
    return nil
  }

  private static func word(_ text: Substring) -> Substring { text.prefix { !" '`\n),;".contains($0) } }
}

extension Invocation {
  /// How commands that sentences quote are typed here.
  var wording: CommandWording {
    CommandWording(place: isInShell ? .shell : .program, store: session?.path)
  }
}

extension Document {
  /// With the commands that its sentences quote in the terms of the place. Tables and trees hold data, which stays as it
  /// is.
  package func worded(_ wording: CommandWording) -> Document {
    var document = self
    document.blocks = blocks.map { block in
      switch block {
      case .text(let text): return .text(wording.worded(text))
      case .lines(let lines): return .lines(lines.map(wording.worded))
      case .pairs(let pairs, let links):
        return .pairs(
          pairs.map { name, value in
            guard case .text(let text) = value else { return (name, value) }
            return (name, .text(wording.worded(text)))
          }, links: links)
      default: return block
      }
    }
    return document
  }
}
