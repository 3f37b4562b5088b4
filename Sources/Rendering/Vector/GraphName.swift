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
