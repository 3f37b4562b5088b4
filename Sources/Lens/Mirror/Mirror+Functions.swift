import SQLite
import StoreModel

extension Mirror {
  /// Those that rest on history or on all records, which are read when one is first called.
  func installFunctions() throws {
    let connection = store.connection
    // What the app's changes that aren't processed yet come to; NULL where they leave nothing to be sent.
    try connection.addFunction(name: "unanalyzed_outcome", argumentCount: 2) { arguments in
      guard let entity = arguments.optionalInteger(0), let key = arguments.optionalInteger(1) else {
        return .null
      }
      let entry = try self.unanalyzed(ObjectKey(entity: entity, primaryKey: key))
      return entry.outcome == .nothing ? .null : .text("\(entry.outcome)")
    }
    // 0 where history has no cause; NULL where none was looked for.
    try connection.addFunction(name: "flagged_by", argumentCount: 2) { arguments in
      guard let entity = arguments.optionalInteger(0), let key = arguments.optionalInteger(1) else {
        return .null
      }
      let pass = try self.pendingPass(tracesCauses: true)
      return pass.tracesCauses ? .integer(try pass.cause(ObjectKey(entity: entity, primaryKey: key))) : .null
    }
    // Whether purged history may have flagged the record earlier; NULL where no cause was looked for.
    try connection.addFunction(name: "may_be_older", argumentCount: 2) { arguments in
      guard let entity = arguments.optionalInteger(0), let key = arguments.optionalInteger(1) else {
        return .null
      }
      let pass = try self.pendingPass(tracesCauses: true)
      return pass.tracesCauses
        ? .integer(try pass.mayBeOlder(ObjectKey(entity: entity, primaryKey: key)) ? 1 : 0) : .null
    }
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
}
