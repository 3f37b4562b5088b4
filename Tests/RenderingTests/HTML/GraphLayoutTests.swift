import Testing

@testable import Rendering

struct GraphLayoutTests {
  /// Numbers that look random and are the same in each run.
  private static func edges(_ nodes: Int, _ count: Int) -> [(Int, Int)] {
    var state: UInt64 = 42
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    return (0..<count).map { _ in (next(nodes), next(nodes)) }
  }

  @Test(arguments: [(1, 0), (2, 1), (9, 12), (40, 10), (100, 160), (150, 400)])
  func boxesNeverOverlap(_ nodes: Int, _ count: Int) {
    let edges = nodes > 1 ? Self.edges(nodes, count) : []
    let layout = GraphLayout(count: nodes, edges: edges, boxHeight: 42)
    #expect(
      layout.places == GraphLayout(count: nodes, edges: edges, boxHeight: 42).places, "the same in each run")
    for one in 0..<nodes {
      let place = layout.places[one]
      #expect(place.x >= 0 && place.x + layout.boxWidth <= layout.width)
      #expect(place.y >= 0 && place.y + layout.boxHeight <= layout.height)
      for other in 0..<one {
        let (x, y) = (abs(place.x - layout.places[other].x), abs(place.y - layout.places[other].y))
        #expect(x >= layout.boxWidth || y >= layout.boxHeight - 0.01, "\(one) and \(other)")
      }
    }
  }

  @Test func aChainIsDrawnFromItsMiddle() {
    let layout = GraphLayout(count: 5, edges: [(0, 1), (1, 2), (2, 3), (3, 4)], boxHeight: 42)
    let columns = Set(layout.places.map(\.x)).count
    #expect(columns == 3, "five in a chain take three columns: \(layout.places)")
  }

  /// Long names ran out of their boxes, as boxes were as wide for capitals as for small letters.
  @Test(arguments: [
    ["Note", "Tag"], ["WORKOUTSUMMARYMEASUREMENT", "Tag"], ["HKWorkoutRouteMeasurementSummary"],
    [String(repeating: "M", count: 80)], ["設定設定設定設定設定設定設定設定設定設定", "a_b"],
  ])
  func namesStayInTheirBoxes(_ names: [String]) {
    let width = GraphName.boxWidth(for: names)
    for name in names {
      let lines = GraphName.lines(of: name, in: width)
      #expect(lines.count <= 2)
      for line in lines { #expect(GraphName.width(line) <= GraphName.room(in: width), "\(line)") }
      #expect(lines.joined() == name || (width == GraphLayout.mostBoxWidth && lines.last?.first == "…"))
    }
  }
}
