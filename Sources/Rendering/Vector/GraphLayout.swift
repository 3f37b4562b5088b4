/// Where the boxes of a graph stand: in columns by their distance from the one in the middle of things, in an order that
/// keeps lines short. The same graph always looks the same.
///
/// The steps are those of layered drawing (Sugiyama, Tagawa, Toda 1981, https://doi.org/10.1109/TSMC.1981.4308636).
struct GraphLayout {
  struct Place: Equatable {
    var x: Double
    var y: Double
  }

  static let (leastBoxWidth, mostBoxWidth) = (172.0, 292.0)
  let boxWidth: Double
  let boxHeight: Double
  private static let columnGap = 56.0
  private static let rowGap = 18.0
  private static let margin = 6.0

  /// Upper left corners, in the order of the nodes.
  private(set) var places: [Place]
  private(set) var width: Double
  private(set) var height: Double

  private let neighbours: [[Int]]

  /// - Parameter columns: of boxes, for those that nothing connects.
  init(
    count: Int, edges: [(Int, Int)], boxHeight: Double, boxWidth: Double = Self.leastBoxWidth,
    columns: Int = 5
  ) {
    self.boxWidth = boxWidth
    self.boxHeight = boxHeight
    var neighbours = [Set<Int>](repeating: [], count: count)
    for (one, other) in edges where one != other {
      neighbours[one].insert(other)
      neighbours[other].insert(one)
    }
    self.neighbours = neighbours.map { $0.sorted() }
    places = [Place](repeating: Place(x: 0, y: 0), count: count)
    (width, height) = (0, 0)
    var seen = Set<Int>()
    var components: [[Int]] = []
    for start in 0..<count where !seen.contains(start) {
      let component = distances(from: start).keys.sorted()
      seen.formUnion(component)
      components.append(component)
    }
    components.sort { ($1.count, $0[0]) < ($0.count, $1[0]) }
    for component in components where component.count > 1 { place(component) }
    placeLoners(components.filter { $0.count == 1 }.map { $0[0] }, columns: columns)
    height = max(0, height - Self.rowGap) + Self.margin * 2
    width += Self.margin * 2
    for index in places.indices {
      places[index].x += Self.margin
      places[index].y += Self.margin
    }
  }

  private func distances(from start: Int) -> [Int: Int] {
    var distances = [start: 0]
    var queue = [start]
    var next = 0
    while next < queue.count {
      let node = queue[next]
      next += 1
      for other in neighbours[node] where distances[other] == nil {
        distances[other] = (distances[node] ?? 0) + 1
        queue.append(other)
      }
    }
    return distances
  }

  /// The node from which the farthest is nearest; of several the one with most neighbors.
  private func centre(of component: [Int]) -> Int {
    component.map { node in
      (node: node, farthest: distances(from: node).values.max() ?? 0, degree: neighbours[node].count)
    }.min { ($0.farthest, $1.degree, $0.node) < ($1.farthest, $0.degree, $1.node) }?.node ?? component[0]
  }

  private mutating func place(_ component: [Int]) {
    var layers = layers(of: component)
    for pass in 0..<8 {
      let order = pass.isMultiple(of: 2) ? Array(layers.indices) : layers.indices.reversed()
      for index in order { sort(&layers, index) }
    }
    var tops = coordinates(layers)
    for pass in 0..<12 {
      let order = pass.isMultiple(of: 2) ? Array(layers.indices) : layers.indices.reversed()
      for index in order { align(layers[index], &tops) }
    }
    let highest = tops.values.min() ?? 0
    for (column, layer) in layers.enumerated() {
      for node in layer {
        places[node] = Place(
          x: Double(column) * (boxWidth + Self.columnGap), y: height + (tops[node] ?? 0) - highest)
      }
    }
    width = max(width, Double(layers.count) * (boxWidth + Self.columnGap) - Self.columnGap)
    let lowest = (tops.values.max() ?? 0) - highest
    height += lowest + boxHeight + Self.rowGap * 2
  }

  /// Columns by distance from the center, to both sides of it where there is much to place.
  private func layers(of component: [Int]) -> [[Int]] {
    let centre = centre(of: component)
    let distance = distances(from: centre)
    var side: [Int: Int] = [centre: 0]
    if component.count > 6 {
      // Each branch as a whole goes where there is less so far.
      var sizes = [1: 0, -1: 0]
      for branch in neighbours[centre] where side[branch] == nil {
        var members = [branch]
        let sign = (sizes[1] ?? 0) <= (sizes[-1] ?? 0) ? 1 : -1
        side[branch] = sign
        while let node = members.popLast() {
          sizes[sign, default: 0] += 1
          for other in neighbours[node] where side[other] == nil && (distance[other] ?? 0) > 1 {
            side[other] = sign
            members.append(other)
          }
        }
      }
    }
    let columns = Dictionary(grouping: component) { (distance[$0] ?? 0) * (side[$0] ?? 1) }
    return columns.keys.sorted().map { columns[$0] ?? [] }
  }

  /// Orders one layer by where the neighbors of its nodes stand in the layers next to it.
  private func sort(_ layers: inout [[Int]], _ index: Int) {
    var positions: [Int: Double] = [:]
    for neighbor in [index - 1, index + 1] where layers.indices.contains(neighbor) {
      for (position, node) in layers[neighbor].enumerated() {
        positions[node] = (Double(position) + 0.5) / Double(layers[neighbor].count)
      }
    }
    let own = Dictionary(
      uniqueKeysWithValues: layers[index].enumerated().map {
        ($1, (Double($0) + 0.5) / Double(layers[index].count))
      })
    let wanted = layers[index].map { node -> (node: Int, place: Double) in
      let places = neighbours[node].compactMap { positions[$0] }
      return (node, places.isEmpty ? own[node] ?? 0 : places.reduce(0, +) / Double(places.count))
    }
    layers[index] = wanted.sorted { ($0.place, $0.node) < ($1.place, $1.node) }.map(\.node)
  }

  private func coordinates(_ layers: [[Int]]) -> [Int: Double] {
    let step = boxHeight + Self.rowGap
    let tallest = Double(layers.map(\.count).max() ?? 0) * step
    var tops: [Int: Double] = [:]
    for layer in layers {
      let start = (tallest - Double(layer.count) * step) / 2
      for (row, node) in layer.enumerated() { tops[node] = start + Double(row) * step }
    }
    return tops
  }

  /// Moves the boxes of a layer toward their neighbors, without changing their order.
  private func align(_ layer: [Int], _ tops: inout [Int: Double]) {
    let step = boxHeight + Self.rowGap
    let wanted = layer.map { node -> Double in
      let places = neighbours[node].filter { !layer.contains($0) }.compactMap { tops[$0] }
      return places.isEmpty ? tops[node] ?? 0 : places.reduce(0, +) / Double(places.count)
    }
    // From above each is pushed down to where there is room, from below up; the middle of both is fair to all.
    var down = wanted
    for row in down.indices.dropFirst() { down[row] = max(down[row], down[row - 1] + step) }
    var up = wanted
    for row in up.indices.dropLast().reversed() { up[row] = min(up[row], up[row + 1] - step) }
    for (row, node) in layer.enumerated() { tops[node] = (down[row] + up[row]) / 2 }
  }

  private mutating func placeLoners(_ nodes: [Int], columns: Int) {
    guard !nodes.isEmpty else { return }
    let columns = max(2, min(columns, nodes.count))
    for (index, node) in nodes.enumerated() {
      places[node] = Place(
        x: Double(index % columns) * (boxWidth + Self.rowGap),
        y: height + Double(index / columns) * (boxHeight + Self.rowGap))
    }
    height += Double((nodes.count + columns - 1) / columns) * (boxHeight + Self.rowGap)
    width = max(width, Double(min(columns, nodes.count)) * (boxWidth + Self.rowGap) - Self.rowGap)
  }
}

/// Names of entities in boxes: whole, in two lines if one is too short.
enum GraphName {
  /// What a box leaves for a line of its name.
  static func room(in boxWidth: Double) -> Double { boxWidth - 24 }

  /// The narrowest box in which all names are whole; the widest if some are in none.
  static func boxWidth(for labels: [String]) -> Double {
    let widths = stride(from: GraphLayout.leastBoxWidth, through: GraphLayout.mostBoxWidth, by: 24)
    return widths.first { width in
      labels.allSatisfy { wholeLines(TerminalText.escaped($0), room(in: width)) != nil }
    } ?? GraphLayout.mostBoxWidth
  }

  static func lines(of label: String, in boxWidth: Double) -> [String] {
    let text = TerminalText.escaped(label)
    let room = room(in: boxWidth)
    if let lines = wholeLines(text, room) { return lines }
    // The middle of a long name says the least.
    let first = prefix(Array(text), room)
    let last = prefix(text.dropFirst(first.count).reversed(), room - width("…"))
    return [String(first), "…" + String(last.reversed())]
  }

  /// Nil if two lines aren't enough.
  private static func wholeLines(_ text: String, _ room: Double) -> [String]? {
    guard width(text) > room else { return [text] }
    let characters = Array(text)
    let halves = characters.indices.dropFirst().filter { index in
      width(String(characters[..<index])) <= room && width(String(characters[index...])) <= room
    }
    // Where a word begins, nearest to the middle.
    let words = halves.filter { index in
      let (before, here) = (characters[index - 1], characters[index])
      return here.isUppercase && !before.isUppercase || before == "_" || before == "." || before == " "
    }
    let middle = characters.count / 2
    return (words.isEmpty ? halves : words).min { abs($0 - middle) < abs($1 - middle) }
      .map { [String(characters[..<$0]), String(characters[$0...])] }
  }

  private static func prefix(_ characters: [Character], _ room: Double) -> [Character] {
    var taken = 0.0
    return Array(
      characters.prefix { character in
        taken += width(String(character))
        return taken <= room
      })
  }

  /// In pixels: about what the letters of common sans-serif fonts take in bold at 13 pixels.
  static func width(_ text: String) -> Double {
    text.reduce(0) { sum, character in
      if TerminalText.width(String(character)) > 1 { return sum + 14 }
      let share =
        if "iIjl.,:;'|! ".contains(character) {
          0.36
        } else if "ftr()[]-".contains(character) {
          0.46
        } else if "mwMW@%".contains(character) {
          0.98
        } else if character.isUppercase {
          0.76
        } else {
          0.65
        }
      return sum + share * 13
    }
  }
}
