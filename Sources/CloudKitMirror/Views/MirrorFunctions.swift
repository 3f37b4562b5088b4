import SQLite
import StoreModel
import Values

/// SQL functions for what no table of the mirror says and SQL alone can't conclude. What they rest on is read when
/// one is first called.
struct MirrorFunctions {
  let mirror: Mirror

  func install() throws {
    let mirror = mirror
    let connection = mirror.store.connection
    try connection.addFunction(name: "is_mirrored", argumentCount: 1) { arguments in
      guard let number = arguments.optionalInteger(0) else { return .integer(0) }
      return .integer(try mirror.mirroredEntities().countsChanges(of: number) ? 1 : 0)
    }
    // Whether a row of the entity that has no record is missing one.
    try connection.addFunction(name: "needs_record", argumentCount: 1) { arguments in
      guard let number = arguments.optionalInteger(0) else { return .integer(0) }
      return .integer(try mirror.mirroredEntities().countsRows(of: number) ? 1 : 0)
    }
    func entry(_ arguments: FunctionArguments) throws -> UnanalyzedObjects.Entry? {
      guard let entity = arguments.optionalInteger(0), let key = arguments.optionalInteger(1) else {
        return nil
      }
      let entry = try mirror.unanalyzed()[ObjectKey(entity: entity, primaryKey: key)]
      return entry.outcome == .nothing ? nil : entry
    }
    // What the app's changes that are still to be analysed come to; NULL where they leave nothing to be sent.
    try connection.addFunction(name: "unanalyzed_outcome", argumentCount: 2) { arguments in
      try entry(arguments).map { .text("\($0.outcome)") } ?? .null
    }
    try connection.addFunction(name: "unanalyzed_since", argumentCount: 2) { arguments in
      guard let since = try entry(arguments)?.since, since > 0 else { return .null }
      return .integer(since)
    }
  }
}
