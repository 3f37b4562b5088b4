import Commands
import Rendering

/// The results on the way to the one on the screen, and what their numbers stand for.
///
/// A number means the object with that number in the result printed last; one about a single object that numbers nothing,
/// such as a trace, leaves the numbers before it. `back` prints the result before the last one again.
struct Screens {
  struct Screen: Equatable {
    /// As they would be typed.
    var words: [String]
    /// In the order of their numbers.
    var objects: [String]
    /// Where the object that was opened from it stands in `objects`.
    var opened: Int?
  }

  private(set) var all: [Screen] = []
  private static let capacity = 100

  /// The objects that have a number now.
  var objects: [String] { numbered.map { all[$0].objects } ?? [] }

  /// The screen that numbers are of.
  private var numbered: Int? {
    all.lastIndex { screen in
      !screen.objects.isEmpty || ![Command.show.name, Command.trace.name].contains(screen.words.first)
    }
  }

  /// - Parameter opened: the number by which the words were made from the screen before.
  mutating func show(_ words: [String], _ objects: [String], opened number: Int? = nil) {
    if let number, let numbered {
      // Another one of the list takes the place of the one that was opened from it.
      all.removeSubrange((numbered + 1)...)
      all[numbered].opened = number - 1
    }
    // What has no objects is nothing to return to, and what is repeated is no other place.
    if let last = all.last, last.objects.isEmpty && !Self.isObject(last.words) || last.words == words {
      all.removeLast()
    }
    all.append(Screen(words: words, objects: objects))
    if all.count > Self.capacity { all.removeFirst() }
  }

  private static func isObject(_ words: [String]) -> Bool { words.first == Command.show.name }

  /// The words that show the screen before the one on the screen again, and the screens to which it's added then. Until
  /// it is shown these stay as they are: what fails, or goes to a file, moves nobody.
  func back() throws(UsageError) -> (words: [String], rest: Screens) {
    guard all.count > 1 else { throw .conflict("There is no object or list to go back to.") }
    var rest = self
    rest.all.removeLast()
    return (rest.all.removeLast().words, rest)
  }

  /// The words that show the next object of the list from which the one on the screen was opened, or the one before it.
  /// - Returns: them, the object's number, and the screens to which it's added when it is shown.
  func neighbor(_ step: Int) throws(UsageError) -> (words: [String], number: Int, rest: Screens) {
    guard all.count > 1, let opened = all[all.count - 2].opened else {
      let isList = all.last.map { !$0.objects.isEmpty && !Self.isObject($0.words) } ?? false
      throw .conflict(
        isList
          ? "A list is on the screen, and no object of it: 'show 1' shows the first; 'next' and 'previous' go on from there."
          : "No object of a list is on the screen. Print a list, such as 'rows ENTITY', and 'show 1' first.")
    }
    let list = all[all.count - 2]
    guard list.objects.indices.contains(opened + step) else {
      let end = step > 0 ? "last" : "first"
      throw .conflict(
        "This was the \(end) of the \(list.objects.count) objects on the list; 'back' returns to it.")
    }
    var rest = self
    rest.all.removeLast()
    return ([Command.show.name, list.objects[opened + step]], opened + step + 1, rest)
  }

  /// - Throws: if the last result has no such number; what numbers mean is then said, too.
  func object(_ number: Int) throws(UsageError) -> String {
    if objects.indices.contains(number - 1) { return objects[number - 1] }
    let last = numbered.map { all[$0] }
    let back = all.count > 1 ? " 'back' returns to '\(Self.text(all[all.count - 2]))'." : ""
    guard let last, !objects.isEmpty else {
      let advice =
        last.map(Self.isSQL) == true
        ? "Add uri to the SELECT to number its rows." : "'rows ENTITY' lists some."
      throw .conflict("There is no number \(number): the last result shows no objects.\(back) \(advice)")
    }
    let range = objects.count == 1 ? "has only number 1" : "has numbers 1 to \(objects.count)"
    throw .conflict("There is no number \(number): the last result, '\(Self.text(last))', \(range).\(back)")
  }

  private static func isSQL(_ screen: Screen) -> Bool {
    screen.words.first == Command.query.name && SQLText.begins(screen.words.last ?? "")
  }

  /// As it was typed, in one short line.
  private static func text(_ screen: Screen) -> String {
    let words = isSQL(screen) ? screen.words.suffix(1) : screen.words[...]
    let line = words.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return TerminalText.shortened(line, to: 50)
  }
}
