import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What several threads make side by side, handed on in order.
extension Threads {
  /// Makes the bytes of the part with that number, and hands them over piece by piece until it gets false.
  package typealias PartMaker = (_ part: Int, _ handOver: (UnsafeRawBufferPointer) -> Bool) throws -> Void

  /// Numbered parts are made by several threads and handed on, on this one, in the order of their numbers: the result is
  /// the same as that of one thread. A few parts at most wait for their turn, so that memory stays small however large
  /// the whole is.
  /// - Parameters:
  ///   - makers: one for each thread, which no other thread uses meanwhile.
  ///   - whileWaiting: called on this thread, again and again.
  ///   - take: false when no more is wanted.
  /// - Throws: what a maker throws, once everything before that has been handed on; what `take` throws.
  package static func inOrder(
    parts: Int, by makers: [PartMaker], whileWaiting: () -> Void,
    take: (UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    let made = PartsInOrder(parts: parts, by: makers)
    while let pieces = try made.next(whileWaiting: whileWaiting) {
      for piece in pieces where try !piece.withUnsafeBytes(take) { return }
    }
  }
}

/// The same, asked for: threads make what is next in order as long as this lives.
package final class PartsInOrder {
  private let pieces: OrderedPieces
  private let threads: [pthread_t]
  /// Makes a part on this thread, where the system gives no other.
  private let maker: Threads.PartMaker?
  /// Of a part whose pieces go first.
  private var failure: (any Error)?

  /// - Parameters:
  ///   - bytes: what may wait of the part that goes next, and as much of all others; a single piece may be larger.
  ///   - ahead: how many parts a thread may be ahead of the one that goes next. Short parts need more: who waits looks
  ///     again only after a while.
  package init(parts: Int, by makers: [Threads.PartMaker], bytes: Int = 1 << 20, ahead: Int = 2) {
    let pieces = OrderedPieces(parts: parts, ahead: ahead * makers.count, mostBytes: bytes)
    self.pieces = pieces
    threads = makers.compactMap { maker in
      nonisolated(unsafe) let maker = maker
      return Threads.startAlone { pieces.make(maker) }
    }
    maker = threads.isEmpty ? makers.first : nil
  }

  deinit {
    pieces.stop()
    for thread in threads { pthread_join(thread, nil) }
  }

  /// Some pieces of one part, in order; nil at the end.
  /// - Throws: what the maker of a part throws, once everything before that has been handed on.
  package func next(whileWaiting: () throws -> Void) throws -> [[UInt8]]? {
    while true {
      if let failure { throw failure }
      if let maker { pieces.makeOne(maker) }
      guard let ready = pieces.next() else { return nil }
      failure = ready.failure
      if !ready.pieces.isEmpty { return ready.pieces }
      if !ready.isWhole {
        try whileWaiting()
        usleep(OrderedPieces.pause)
      }
    }
  }
}

/// What is made and not yet handed on.
private final class OrderedPieces: Sendable {
  private struct Part {
    var pieces: [[UInt8]] = []
    var bytes = 0
    var isWhole = false
    var failure: (any Error)?
  }

  private struct State {
    /// The part that is handed on, the one that a thread begins next, and what there is of those between.
    var (current, begun) = (0, 0)
    var parts: [Int: Part] = [:]
    /// Of all parts.
    var bytes = 0
    var isStopped = false

    mutating func add(_ piece: [UInt8], to part: Int) {
      parts[part, default: Part()].pieces.append(piece)
      parts[part, default: Part()].bytes += piece.count
      bytes += piece.count
    }
  }

  private let state = Mutex(State())
  private let count: Int
  private let ahead: Int
  /// Of the current part, and of all parts before another one gets more; see `PartsInOrder`.
  private let mostBytes: Int
  /// In microseconds. A thread makes less in that time than may be kept of one part.
  static let pause: UInt32 = 200

  init(parts: Int, ahead: Int, mostBytes: Int) {
    (count, self.ahead, self.mostBytes) = (parts, ahead, mostBytes)
  }

  func stop() { state.withLock { $0.isStopped = true } }

  /// Makes one part after the other, until all are begun.
  func make(_ maker: Threads.PartMaker) {
    while let part = begin() { make(part, maker) { self.put($0, part) } }
  }

  /// Makes the next part as a whole.
  func makeOne(_ maker: Threads.PartMaker) {
    guard let part = begin() else { return }
    make(part, maker) { piece in
      self.state.withLock { $0.add(piece, to: part) }
      return true
    }
  }

  private func make(_ part: Int, _ maker: Threads.PartMaker, put: @escaping ([UInt8]) -> Bool) {
    var failure: (any Error)?
    do { try maker(part) { put(Array($0)) } } catch { failure = error }
    state.withLock { [failure] in
      $0.parts[part, default: Part()].failure = failure
      $0.parts[part, default: Part()].isWhole = true
    }
  }

  /// The next part that nobody makes; nil when there is none.
  private func begin() -> Int? {
    while true {
      let (part, isOver) = state.withLock { state -> (Int?, Bool) in
        guard !state.isStopped, state.begun < count else { return (nil, true) }
        guard state.begun < state.current + ahead else { return (nil, false) }
        state.begun += 1
        return (state.begun - 1, false)
      }
      if part != nil || isOver { return part }
      usleep(Self.pause)
    }
  }

  /// Waits while too much of the part is there already. False when nobody wants more.
  private func put(_ piece: [UInt8], _ part: Int) -> Bool {
    while true {
      let isTaken = state.withLock { state -> Bool? in
        guard !state.isStopped else { return false }
        // The current part never waits for the others.
        let bytes = part == state.current ? state.parts[part]?.bytes ?? 0 : state.bytes
        guard bytes < mostBytes else { return nil }
        state.add(piece, to: part)
        return true
      }
      if let isTaken { return isTaken }
      usleep(Self.pause)
    }
  }

  /// What there is of the current part; nil when all parts were handed on.
  func next() -> (pieces: [[UInt8]], isWhole: Bool, failure: (any Error)?)? {
    state.withLock { state in
      guard state.current < count else { return nil }
      guard let part = state.parts[state.current] else { return ([], false, nil) }
      state.bytes -= part.bytes
      if part.isWhole {
        state.parts[state.current] = nil
        state.current += 1
      } else {
        state.parts[state.current]?.pieces = []
        state.parts[state.current]?.bytes = 0
      }
      return (part.pieces, part.isWhole, part.failure)
    }
  }
}
