/// The last few of many, by when they were used.
struct RecentlyUsed<Element> {
  private let most: Int
  /// The one used last is the last.
  private var elements: [Element] = []

  init(most: Int) { self.most = most }

  mutating func first(where isMeant: (Element) -> Bool) -> Element? {
    guard let index = elements.firstIndex(where: isMeant) else { return nil }
    elements.append(elements.remove(at: index))
    return elements.last
  }

  /// Lets go of one if there are as many as there may be: before another one is made, so that there are never more.
  mutating func makeRoom() { elements.removeFirst(max(0, elements.count - most + 1)) }

  mutating func add(_ element: Element) {
    makeRoom()
    elements.append(element)
  }

  mutating func removeAll(where isMeant: (Element) -> Bool) { elements.removeAll(where: isMeant) }
}
