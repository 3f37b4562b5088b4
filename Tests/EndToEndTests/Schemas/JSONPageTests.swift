import Archives
import Base
import Commands
import Foundation
import Rendering
import TestSupport
import Testing

/// `JSON.md`: the keys of every command's JSON, from the shapes that `storescope schema` prints too, with an example of
/// each form from the demo store.
struct JSONPage {
  /// By command, one for each form: the command line, and what it prints.
  var examples: [String: [(command: String, document: DataValue)]]

  /// Objects that several documents have, in the order of their first use.
  private var shared: [(name: String, keys: [Shape.Key])] = []

  init(examples: [String: [(command: String, document: DataValue)]]) { self.examples = examples }

  mutating func text() -> String {
    var lines = [
      "# JSON", "",
      "What commands print with `--json`. `storescope schema COMMAND` prints the same as JSON Schema (draft 2020-12), and tests",
      "hold the output of all commands against it.", "",
      "* A document is one object. `schema` is its kind and version: `storescope/COMMAND/1`. Later versions may have more keys; a",
      "  key that changes its meaning gets another number.",
      "* Keys in the tables are paths: `zones[].name` is the key `name` of each element of `zones`.",
      "* `--format ndjson` prints the elements of one list, which is named with each command, one per line; without such a list,",
      "  all keys but `schema` and `store` in one line.",
      "* `--columns` leaves only the chosen keys in rows.", "* Integers can be wider than 2^53.", "",
      "## Values", "", "| type | what it is |", "|---|---|",
      "| date | text in UTC, always as long: `2026-03-22T15:00:00.500000Z`; null if there is none. If the stored number is no date of the years 1 to 9999, it is null, and the number is in `KEY.raw` |",
      "| UUID | text in upper case |", "| URI | an object: `x-coredata://STORE-UUID/Entity/pN` |",
      "| SHA-256 | 64 lower-case hexadecimal digits |",
      "| blob | bytes, which stay in the store: `{\"blob\":{\"bytes\":137,\"kind\":\"png\",\"sha256\":\"…\"}}`, and `value` if they can be decoded |",
    ]
    for (title, commands) in CommandTable.groups {
      let described = commands.filter { DocumentTable.document(of: $0.name) != nil }
      if !described.isEmpty { lines += ["", "## \(title)"] }
      for command in described { lines += section(command) }
    }
    lines += ["", "## Shared objects"]
    // They may have others.
    var index = 0
    while index < shared.count {
      let (name, keys) = shared[index]
      lines += ["", "### Object: \(name)"] + table(keys)
      index += 1
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func section(_ command: Command) -> [String] {
    guard let shape = DocumentTable.document(of: command.name) else { return [] }
    var lines = [
      "", "### \(command.name)", "",
      command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".",
    ]
    for (index, form) in shape.forms.enumerated() {
      if !form.condition.isEmpty {
        lines += ["", "#### \(command.name): \(form.condition)"]
      }
      if case .either(let shapes)? = form.ownLines {
        lines += shapes.flatMap { shape -> [String] in
          guard case .object(let keys) = shape else { return [] }
          return table(keys)
        }
        continue
      }
      lines += table(form.keys)
      if let payload = form.payload { lines += ["", "NDJSON prints `\(payload)`."] }
      if let example = examples[command.name]?.dropFirst(index).first, !example.command.isEmpty {
        lines += [
          "", "`\(example.command)`:", "", "```json", Self.print(Self.shortened(example.document)), "```",
        ]
      }
    }
    return lines
  }

  private mutating func table(_ keys: [Shape.Key]) -> [String] {
    ["", "| key | type | meaning |", "|---|---|---|"] + rows(keys, "")
  }

  private mutating func rows(_ keys: [Shape.Key], _ prefix: String) -> [String] {
    keys.flatMap { key -> [String] in
      let condition = key.condition.map { "; only if \($0)" } ?? ""
      let row = "| `\(prefix)\(key.name)` | \(type(key.shape)) | \(key.meaning)\(condition) |"
      return [row] + rows(in: key.shape, prefix + key.name)
    }
  }

  private mutating func rows(in shape: Shape, _ path: String) -> [String] {
    switch shape {
    case .object(let keys), .open(let keys, _): return rows(keys, path + ".")
    case .list(let element): return rows(in: element, path + "[]")
    case .orNull(let shape): return rows(in: shape, path)
    case .either(let shapes):
      var known: Set<String> = []
      return shapes.flatMap { rows(in: $0, path) }.filter { known.insert($0).inserted }
    default: return []
    }
  }

  private mutating func type(_ shape: Shape) -> String {
    switch shape {
    case .text, .pattern: return "text"
    case .integer: return "integer"
    case .number: return "number"
    case .bool: return "true or false"
    case .date: return "date"
    case .uuid: return "UUID"
    case .uri: return "URI"
    case .hash: return "SHA-256"
    case .any: return "anything"
    case .words(let words): return words.map { "`\($0)`" }.joined(separator: ", ")
    case .list(let element): return "list of " + type(element)
    case .object: return "object"
    case .open(_, let others): return "object: \(others)"
    case .map(let value): return "object with values of the type " + type(value)
    case .named(let name, let keys):
      if !shared.contains(where: { $0.name == name }) { shared.append((name, keys)) }
      return "[\(name)](#object-\(name.lowercased()))"
    case .document(let command): return "what [\(command)](#\(command)) prints"
    case .either(let shapes):
      var known: Set<String> = []
      return shapes.map { type($0) }.filter { known.insert($0).inserted }.joined(separator: " or ")
    case .orNull(let shape): return type(shape) + " or null"
    }
  }

  // MARK: - Examples

  /// Of each list its first element, and of long texts their beginning.
  private static func shortened(_ value: DataValue) -> DataValue {
    switch value {
    case .array(let elements): .array(elements.prefix(1).map(shortened))
    case .object(let members): .object(members.map { .init($0.name, shortened($0.value)) })
    case .text(let text) where text.count > 64: .text(text.prefix(60) + "…")
    default: value
    }
  }

  /// On one line what fits there.
  private static func print(_ value: DataValue, _ indent: Int = 0) -> String {
    let compact = JSONText.compact(value)
    let blanks = String(repeating: " ", count: indent + 2)
    func block(_ open: String, _ parts: [String], _ close: String) -> String {
      open + "\n" + parts.map { blanks + $0 }.joined(separator: ",\n") + "\n" + blanks.dropLast(2) + close
    }
    guard indent + compact.count > 100 else { return compact }
    switch value {
    case .array(let elements): return block("[", elements.map { print($0, indent + 2) }, "]")
    case .object(let members):
      return block(
        "{", members.map { JSONText.compact(.text($0.name)) + ": " + print($0.value, indent + 2) }, "}")
    default: return compact
    }
  }
}

@Suite(.waiting) struct JSONPageTests {
  @Test func isCurrent() throws {
    var examples: [String: [(command: String, document: DataValue)]] = [:]
    for shape in DocumentTable.all {
      var found = shape.forms.map { _ in (command: "", document: DataValue.null) }
      for question in SchemaQuestions.ofDemo where question[0] == shape.command {
        guard zip(found, shape.forms).contains(where: { $0.command.isEmpty && $1.ownLines == nil }) else {
          break
        }
        let example = try example(question)
        for (index, form) in shape.forms.enumerated()
        where found[index].command.isEmpty && form.ownLines == nil {
          guard JSONSchema(DocumentShape(shape.command, [form]).schema).violations(example.document).isEmpty
          else {
            continue
          }
          found[index] = example
        }
      }
      examples[shape.command] = found
    }
    var page = JSONPage(examples: examples)
    try expectPage("JSON.md", page.text())
  }

  private func command(_ words: [String]) -> String {
    "storescope " + words.joined(separator: " ") + " --json"
  }

  /// The command, and what it prints but for what no two runs have in common: the time of day, the folder, and the hashes
  /// of stores that were just made.
  private func example(_ question: [String]) throws -> (command: String, document: DataValue) {
    let places = try SchemaPlaces(for: question)
    let words = SchemaQuestions.words(question, places.paths)
    let document = try SchemaQuestions.document(words + ["--json"], in: places.folder)
    func steady(_ text: String) -> String {
      text.replacing(/[0-9]{8}T[0-9]{6}Z/, with: "20260601T120000Z")
        .replacingOccurrences(of: places.folder, with: "/Users/jonas")
    }
    var text = steady(JSONText.compact(document))
    if question[0] == "restore" {
      text = text.replacing(/"time":"[^"]*"/, with: "\"time\":\"2026-06-01T12:00:00.000000Z\"")
    }
    if question[0] == "fleet" {
      text.replace(/"(storeId|sha256)":"[0-9a-f]{64}"/) {
        "\"\($0.1)\":\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\""
      }
    }
    if question[0] == "handover" {
      text = text.replacing(/"bytes":[0-9]+,"title"/, with: "\"bytes\":82101,\"title\"")
    }
    return (steady(command(words)), try JSONReader.read(text))
  }
}
