import Archives
import Commands
import Foundation
import Rendering
import TestSupport
import Testing
import Values

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
