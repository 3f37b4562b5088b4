// Of Swift's own Synchronization what `Sources/Base` uses. The module itself brings Linux's C
// library along, whose types would not go with Darwin's.

public struct AtomicLoadOrdering: Sendable {
  public static var relaxed: Self { Self() }
  public static var acquiring: Self { Self() }
}

public struct AtomicStoreOrdering: Sendable { public static var relaxed: Self { Self() } }

public struct AtomicUpdateOrdering: Sendable {
  public static var relaxed: Self { Self() }
  public static var acquiringAndReleasing: Self { Self() }
}

public struct Atomic<Value: Sendable>: ~Copyable, Sendable {
  private let value: Value
  public init(_ value: Value) { self.value = value }
  public borrowing func load(ordering: AtomicLoadOrdering) -> Value { value }
  public borrowing func store(_ value: Value, ordering: AtomicStoreOrdering) {}
  public borrowing func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value { value }
}

extension Atomic where Value == Int {
  @discardableResult
  public borrowing func wrappingAdd(
    _ number: Int, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Int, newValue: Int) { (value, value) }

  @discardableResult
  public borrowing func subtract(
    _ number: Int, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Int, newValue: Int) { (value, value) }
}

public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let value: UnsafeMutablePointer<Value>
  public init(_ value: consuming sending Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }
  public borrowing func withLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R { try body(&value.pointee) }
  public borrowing func withLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? { try body(&value.pointee) }
}
