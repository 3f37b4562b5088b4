import Rendering
import Testing

/// Counts by name: a screen that is too small cuts off the smallest ones.
struct TallyTests {
  private func text(_ entries: [(name: String, count: Int, note: String)], width: Int) throws -> String {
    try rendered(Document(command: "x", blocks: [.tally(entries)]), .table, width: width)
  }

  /// Those with sub-entities came last, so that the second-largest was cut off.
  @Test func theOrderIsKept() throws {
    let entries = [
      ("Photo", 425, ""), ("Album", 73, "Smart 40, Plain 33"), ("Keyword", 31, ""), ("Face", 13, ""),
      ("Moment", 12, ""), ("Place", 2, "City 2"), ("Tag", 1, ""),
    ]
    #expect(
      try text(entries, width: 36) == """
          Photo    425
          Album     73  (Smart 40, Plain 33)
          Keyword   31   Face  13
          Moment    12
          Place      2  (City 2)
          Tag        1

        """)
    #expect(
      try text(entries, width: 60) == """
          Photo    425
          Album     73  (Smart 40, Plain 33)
          Keyword   31   Face  13   Moment  12
          Place      2  (City 2)
          Tag        1

        """)
  }

  @Test func nothingIsWiderThanTheScreen() throws {
    let entries = (1...40).map { ("Entity" + String(repeating: "x", count: $0 * 2), $0 * $0 * 100, "") }
    for width in [20, 41, 80, 200] {
      for line in try text(entries, width: width).split(separator: "\n") {
        #expect(line.count <= max(width, 40))
      }
    }
    #expect(try text([], width: 80) == "")
  }
}
