import Archives
import Commands
import Foundation
import TestSupport
import Testing
import Values

@Suite(.waiting) struct JSONPageTests {
  @Test func isCurrent() throws {
    var examples: [String: [(command: String, document: DataValue)]] = [:]
    for shape in DocumentTable.all {
      var found = shape.forms.map { _ in (command: "", document: DataValue.null) }
      for question in SchemaQuestions.ofDemo where question[0] == shape.command {
        guard found.contains(where: { $0.command.isEmpty }) else { break }
        let document = try document(question)
        for (index, form) in shape.forms.enumerated() where found[index].command.isEmpty {
          guard JSONSchema(DocumentShape(shape.command, [form]).schema).violations(document).isEmpty else {
            continue
          }
          found[index] = (command(question), document)
        }
      }
      examples[shape.command] = found
    }
    var page = JSONPage(examples: examples)
    try expectPage("JSON.md", page.text())
  }

  private let names = [
    "STORE": "Journeys.store", "OTHER": "Other.store", "FOLDER": "/tmp", "BACKUP": "BACKUP",
  ]

  private func command(_ question: [String]) -> String {
    "storescope " + SchemaQuestions.words(question, names).joined(separator: " ") + " --json"
  }

  /// As it would be printed where the stores are.
  private func document(_ question: [String]) throws -> DataValue {
    let places = try SchemaPlaces(withBackup: question.contains("BACKUP"))
    let words = SchemaQuestions.words(question, places.paths) + ["--json"]
    var text = JSONText.compact(try SchemaQuestions.document(words))
    for (path, name) in [
      (places.paths["BACKUP"] ?? "BACKUP", "BACKUP"), (places.demo.path, "Journeys.store"),
      (places.other.path, "Other.store"), (places.demo.folder.path, "/tmp"),
    ] {
      text = text.replacing(path, with: name)
    }
    return try JSONReader.read(text)
  }
}
