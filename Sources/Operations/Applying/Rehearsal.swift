import Evidence
package import Lens
import SQLite

/// Tries an operation in memory: the store's files are only read.
package enum Rehearsal {
  /// Runs the plan's steps over a copy-on-write view of the store.
  /// - Parameter body: is given the store as it would be.
  package static func run<R>(
    _ operation: Operation, _ choices: Choices, path: String, modelPath: String?,
    _ body: (OpenStore, Plan) throws -> R
  ) throws -> R {
    let files = try StoreFiles(path: path)
    var options = OpenOptions.overlay()
    options.runsSchemaCode = false
    let connection = try Connection(path: files.resolvedPath, options: options)
    defer { connection.close() }
    _ = try connection.ignoreSchemaExpressions()
    func open() throws -> OpenStore {
      try OpenStore(connection, path: path, resolvedPath: files.resolvedPath, modelPath: modelPath)
    }
    let before = try Target(open(), file: files.main.identity)
    let plan = try Planner.plan(operation, choices, on: before)
    _ = try Change.run(plan, on: connection) {}
    return try body(open(), plan)
  }
}
