/// Which of very many transactions are meant, in as little memory as `ObjectMap` takes.
struct TransactionNumbers {
  private let members = ObjectMap(empty: false)

  func insert(_ number: Int64) throws { try members.set(ObjectKey(number: number), true) }

  /// In their order.
  func forEach(_ body: (Int64) throws -> Void) throws {
    try members.forEach { key, isMember in
      if isMember { try body(key.primaryKey) }
    }
  }
}
