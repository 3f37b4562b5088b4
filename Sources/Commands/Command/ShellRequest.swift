/// What the shell is asked for when it opens.
package struct ShellRequest {
  package var storePath: String
  /// The store, found and taken out of its container if need be; nil if the path leads to it.
  package var source: StoreSource?
  /// What `-c` and `-f` gave, in that order; empty where lines are read from standard input.
  package var scripts: [Script]
  /// Whether nobody asked for standard input to be read: without anything in it, the store's summary is printed.
  package var mayBeWithoutInput = false
  /// Whether nothing that is typed is kept.
  package var isPrivate: Bool
  /// What holds for the commands that run in it.
  package var environment = CommandEnvironment()

  package enum Script: Sendable, Equatable {
    case command(String)
    case file(String)
    /// SQL only, and where it comes from.
    case statements(String, from: String)
  }

  /// How places call standard input.
  package static let standardInput = "stdin"

  package init(storePath: String, source: StoreSource? = nil, scripts: [Script] = [], isPrivate: Bool = false)
  {
    self.storePath = storePath
    self.source = source
    self.scripts = scripts
    self.isPrivate = isPrivate
  }
}
