/// The objects or stores that a result shows, numbered from 1 in the order they are printed, so that people can say "the
/// third".
package final class ObjectNumbers {
  /// As printed: `Person/p12`, or a URI.
  package private(set) var objects: [String] = []
  /// Their addresses.
  package private(set) var stores: [String] = []

  private let known: [String]

  /// - Parameter stores: those that have numbers already, and keep them.
  package init(stores: [String] = []) { (self.stores, known) = (stores, stores) }

  /// Forgets them all, as what showed them is taken back.
  package func removeAll() { (objects, stores) = ([], known) }

  /// The store's number: the one that it has, or the next.
  func add(store address: String) -> Int {
    if let index = stores.firstIndex(of: address) { return index + 1 }
    stores.append(address)
    return stores.count
  }

  /// The object's number; nil where the text names none.
  package func add(_ text: String) -> Int? {
    guard Self.isObject(text) else { return nil }
    objects.append(text)
    return objects.count
  }

  /// Whether a text has the shape of an object's short name or of its URI.
  package static func isObject(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isURI = text.hasPrefix("x-coredata://") && parts.count == 5
    guard isURI || parts.count == 2, let entity = parts.dropLast().last, let key = parts.last,
      !entity.isEmpty, key.first == "p", key.count > 1
    else { return false }
    return key.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }
}
