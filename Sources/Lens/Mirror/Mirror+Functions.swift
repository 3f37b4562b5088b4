import SQLite
import StoreModel

extension Mirror {
  /// Those that rest on history or on all records, which are read when one is first called.
  func installFunctions() throws {
    // What the app's changes that aren't processed yet come to; NULL where they leave nothing to be sent.
    try addFunction("unanalyzed_outcome") { object in
      let outcome = try self.unanalyzed(object).outcome
      return outcome == .nothing ? .null : .text("\(outcome)")
    }
    // 0 where history has no cause; NULL where none was looked for.
    try addFunction("flagged_by") { object in
      let pass = try self.pendingPass(tracesCauses: true)
      return pass.tracesCauses ? .integer(try pass.cause(object)) : .null
    }
    // Whether purged history may have flagged the record earlier; NULL where no cause was looked for.
    try addFunction("may_be_older") { object in
      let pass = try self.pendingPass(tracesCauses: true)
      return pass.tracesCauses ? .integer(try pass.mayBeOlder(object) ? 1 : 0) : .null
    }
    let connection = store.connection
    try connection.addTable(
      name: "lens_unanalyzed",
      columns: [
        "entityNumber", "pk", "what", "since", "isRegistered", "isInHistory", "startsOver", "maySkip",
        "isRepeated", "mayBeOlder",
      ]
    ) { try self.pendingPass().unanalyzedRows() }
    try connection.addTable(name: EventFailure.table, columns: EventFailure.cells.map(\.column.name)) {
      var failures = try self.events.failures[...]
      return { failures.popFirst().map { failure in EventFailure.cells.map { $0.value(failure) } } }
    }
    try connection.addTable(name: "lens_unregistered", columns: ["entityNumber", "pk", "isScannedFor"]) {
      try self.pendingPass().unregisteredRows()
    }
  }

  /// Of an object's entity number and key; NULL where either is.
  private func addFunction(_ name: String, _ body: @escaping (ObjectKey) throws -> SQLiteValue) throws {
    try store.connection.addFunction(name: name, argumentCount: 2) { arguments in
      guard let entity = arguments.optionalInteger(0), let key = arguments.optionalInteger(1) else {
        return .null
      }
      return try body(ObjectKey(entity: entity, primaryKey: key))
    }
  }
}
