import Commands
import Rendering
import TestSupport
import Testing
import Values

/// A schema that lets anything pass would hold nothing: documents with one key less, one more, or a value of another type
/// must be refused.
@Suite(.waiting) struct SchemaMutationTests {
  @Test(arguments: SchemaQuestions.ofDemo) func changedDocumentsAreRefused(_ question: [String]) throws {
    let places = try SchemaPlaces(for: question)
    let document = try SchemaQuestions.document(
      SchemaQuestions.words(question, places.paths) + ["--json"], in: places.folder)
    let shape = try #require(DocumentTable.document(of: question[0]))
    // Against its own form: a rehearsal without its result looks like a plan.
    let forms = shape.forms.filter { $0.ownLines == nil }.map {
      ($0, JSONSchema(DocumentShape(shape.command, [$0]).schema))
    }
    let (form, schema) = try #require(forms.first { $0.1.violations(document).isEmpty })
    let mutants = Mutant.all(of: document, .object(form.whole(command: shape.command)), "")
    #expect(mutants.count > 3)
    let passed = mutants.filter { schema.violations($0.document).isEmpty }.map(\.what)
    #expect(passed.isEmpty, "\(passed)")
  }
}

/// A document with one change.
private struct Mutant {
  var document: DataValue
  var what: String

  /// One for each key and each value, and of lists for their first element.
  static func all(of value: DataValue, _ shape: Shape, _ place: String) -> [Mutant] {
    switch shape {
    case .object(let keys), .named(_, let keys): ofMembers(value, keys, place, isOpen: false)
    case .open(let keys, _): ofMembers(value, keys, place, isOpen: true)
    case .list(let element):
      if case .array(let elements) = value, let first = elements.first {
        other(place)
          + all(of: first, element, place + "/0").map {
            Mutant(document: .array([$0.document] + elements.dropFirst()), what: $0.what)
          }
      } else {
        other(place)
      }
    case .orNull(let shape): value == .null ? other(place) : all(of: value, shape, place)
    case .any: []
    case .map, .either, .text, .integer, .number, .bool, .date, .uuid, .uri, .hash, .words, .pattern,
      .document:
      other(place)
    }
  }

  /// What no shape is.
  private static func other(_ place: String) -> [Mutant] {
    [Mutant(document: [[["surprise": 1]]], what: "\(place) of another type")]
  }

  private static func ofMembers(
    _ value: DataValue, _ keys: [Shape.Key], _ place: String, isOpen: Bool
  ) -> [Mutant] {
    guard case .object(let members) = value else { return other(place) }
    var mutants =
      isOpen
      ? [] : [Mutant(document: .object(members + [.init("surprise", 1)]), what: "\(place) with a new key")]
    for (index, member) in members.enumerated() {
      guard let key = keys.first(where: { $0.name == member.name }) else { continue }
      if key.condition == nil {
        var rest = members
        rest.remove(at: index)
        mutants.append(Mutant(document: .object(rest), what: "\(place) without \(key.name)"))
      }
      mutants += all(of: member.value, key.shape, "\(place)/\(key.name)").map { mutant in
        var changed = members
        changed[index].value = mutant.document
        return Mutant(document: .object(changed), what: mutant.what)
      }
    }
    return mutants
  }
}
