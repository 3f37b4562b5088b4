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

  mutating func add(_ element: Element) { elements = elements.suffix(most - 1) + [element] }

  mutating func removeAll(where isMeant: (Element) -> Bool) { elements.removeAll(where: isMeant) }
}
