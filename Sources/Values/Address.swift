/// An address, which is compared by its bytes, as in the order of the datasets: texts that Swift takes for equal are the
/// names of two files on Linux.
package struct Address: Sendable, Hashable, Comparable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func < (one: Self, other: Self) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  package static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
