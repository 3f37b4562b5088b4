import Base
import Rendering

/// Documents printed into a string.
func rendered(
  _ document: Document, _ format: Format, limit: Int? = nil, width: Int? = nil, style: TextStyle? = nil,
  isTerminal: Bool = false, columns: [String]? = nil
) throws -> String {
  var bytes: [UInt8] = []
  let output = OutputBuffer(capacity: 4096) {
    bytes.append(contentsOf: $0)
    return true
  }
  let options = Renderer.Options(
    format: format, limit: limit, columns: columns, style: style ?? TextStyle(width: width),
    isTerminal: isTerminal)
  try Renderer(output: output, options: options).render(document)
  return String(decoding: bytes, as: UTF8.self)
}

/// Three people, one of them odd.
let people: [[DataValue]] = [
  [1, "Ann", "x"], [2, "Bo\u{1B}[2J", nil], [30, "", .text(String(repeating: "long ", count: 30))],
]

func peopleDocument() -> Document {
  let rows = RowStream(
    columns: [.init("pk", isNumber: true), .init("name"), .init("note")], rows: people)
  return Document(
    command: "rows", store: StoreIdentity(path: "A.store", uuid: "U", frameworkVersion: 1522),
    fields: [.init("rows", rows: rows)], payload: "rows",
    blocks: [.heading("Person"), .pairs([("rows", 3)]), .table(rows)])
}
