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
    try connection.addFunction(name: "flagged_by", argumentCount: 2) { arguments in
      guard let entity = arguments.optionalInteger(0), let key = arguments.optionalInteger(1) else {
        return .null
      }
      let cause = try self.pendingPass(tracesCauses: true).cause(ObjectKey(entity: entity, primaryKey: key))
      return cause > 0 ? .integer(cause) : .null
    }
    try connection.addTable(
      name: "lens_unanalyzed",
      columns: ["entityNumber", "pk", "what", "since", "isRegistered", "isInHistory"]
    ) { try self.pendingPass().unanalyzedRows() }
    try connection.addTable(name: "lens_unregistered", columns: ["entityNumber", "pk", "isScannedFor"]) {
      try self.pendingPass().unregisteredRows()
    }
  }
}
