/// The rows of a large table in numbered parts, which several threads may make at the same time. One part after the other
/// they are all of the rows, in their order.
package struct RowParts {
  /// Pushes the rows of the part with that number.
  package typealias Maker = (_ part: Int, any RowSink) throws -> Void

  package var count: Int
  /// One for each thread, each with a connection of its own.
  package var makers: [Maker]
  /// Called again and again, by the thread that waits for the others.
  package var whileWaiting: () -> Void

  package init(count: Int, makers: [Maker], whileWaiting: @escaping () -> Void = {}) {
    self.count = count
    self.makers = makers
    self.whileWaiting = whileWaiting
  }
}
