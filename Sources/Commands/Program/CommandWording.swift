import Base
package import Rendering
import StoreModel

/// Puts the commands that texts quote into the terms of the place where they are read: in the shell without `storescope`
/// and STORE, elsewhere with the store that is meant, so that they can be pasted. The texts themselves all quote them as
/// `storescope COMMAND STORE …`.
package struct CommandWording: Sendable {
  package var place: CommandPlace
  /// The store that is open, or that the words typed name.
  package var store: String?

  package init(place: CommandPlace, store: String? = nil) {
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
      let before = rest[..<mark.lowerBound].last ?? result.last
      result += rest[..<mark.lowerBound]
      rest = rest[mark.upperBound...]
      let isCommand = before.map { " '(`\"\n:".contains($0) } ?? true
      result += (isCommand ? command(&rest) : nil) ?? Self.mark
    }
    return result + rest
  }

  /// The beginning of a command as it is typed here, taken off the text; nil if the text names none.
  private func command(_ rest: inout Substring) -> String? {
    let name = Self.word(rest)
    var after = rest.dropFirst(name.count)
    let asksHelp = after.hasPrefix(" --help")
    if place == .shell, ["--help", "help", "COMMAND"].contains(name) {
      guard name != "COMMAND" || asksHelp else { return nil }
      rest = asksHelp ? after.dropFirst(" --help".count) : after
      return asksHelp ? "help \(name)" : "help"
    }
    guard let command = CommandTable.command(named: String(name)) else { return nil }
    let store = after.hasPrefix(" ") ? Self.word(after.dropFirst()) : ""
    let isStandIn = Self.standIns.contains(store)
    switch place {
    case .program:
      guard command.store == .required, store == "STORE", let path = self.store else { return nil }
      rest = after.dropFirst(store.count + 1)
      return "\(Self.mark)\(name) \(ShellQuotes.readable(path))"
    case .shell:
      if command.name == Command.shell.name {
        guard !store.isEmpty, !isStandIn else { return nil }
        rest = after
        return "open"
      }
      if asksHelp {
        rest = after.dropFirst(" --help".count)
        return "help \(name)"
      }
      if command.store == .required {
        let own = " " + ShellQuotes.word(self.store ?? "")
        after = after.dropFirst(isStandIn ? store.count + 1 : after.hasPrefix(own) ? own.count : 0)
      }
      rest = after
      return String(name)
    }
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

extension CoreDataStore {
  /// A command on this store, to be pasted, its words quoted where they need to be: nothing replaces STORE in results.
  func command(_ name: String, _ words: String...) -> String {
    (["storescope", name, ShellQuotes.word(path)] + words.map(ShellQuotes.readable)).joined(separator: " ")
  }
}
