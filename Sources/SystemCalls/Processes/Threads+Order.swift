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
    let pieces = OrderedPieces(parts: parts, ahead: 2 * makers.count)
    let threads = makers.compactMap { maker in
      nonisolated(unsafe) let maker = maker
      return startAlone { pieces.make(maker) }
    }
    guard !threads.isEmpty || makers.isEmpty else {
      return try inOrder(parts: parts, by: makers[0], take: take)
    }
    defer {
      pieces.stop()
      for thread in threads { pthread_join(thread, nil) }
    }
    while let ready = pieces.next() {
      for piece in ready.pieces where try !piece.withUnsafeBytes(take) { return }
      if let failure = ready.failure { throw failure }
      if ready.pieces.isEmpty, !ready.isWhole {
        whileWaiting()
        usleep(OrderedPieces.pause)
      }
    }
  }
}

extension Threads {
  /// The same on this thread, where the system gives no other.
  private static func inOrder(
    parts: Int, by maker: PartMaker, take: (UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    var failure: (any Error)?
    var isWanted = true
    try withoutActuallyEscaping(take) { take in
      for part in 0..<parts where isWanted {
        try maker(part) { piece in
          do { isWanted = try isWanted && take(piece) } catch { (failure, isWanted) = (error, false) }
          return isWanted
        }
        if let failure { throw failure }
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
  }

  private let state = Mutex(State())
  private let count: Int
  private let ahead: Int
  /// Of the current part, and of all parts before another one gets more. A single piece may be larger than that.
  private static let mostBytes = 4 << 20
  /// In microseconds. A thread makes less in that time than may be kept of one part.
  static let pause: UInt32 = 200

  init(parts: Int, ahead: Int) {
    (count, self.ahead) = (parts, ahead)
  }

  func stop() { state.withLock { $0.isStopped = true } }

  /// Makes one part after the other, until all are begun.
  func make(_ maker: Threads.PartMaker) {
    while let part = begin() {
      var failure: (any Error)?
      do { try maker(part) { put(Array($0), part) } } catch { failure = error }
      state.withLock { [failure] in
        $0.parts[part, default: Part()].failure = failure
        $0.parts[part, default: Part()].isWhole = true
      }
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
        guard bytes < Self.mostBytes else { return nil }
        state.parts[part, default: Part()].pieces.append(piece)
        state.parts[part, default: Part()].bytes += piece.count
        state.bytes += piece.count
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
