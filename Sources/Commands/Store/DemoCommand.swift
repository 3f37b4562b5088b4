import Forge
import SystemCalls
import Values

extension Command {
  static let demo = Command(
    "demo", summary: "make the built-in demo store, and open it", store: .none,
    arguments: [
      .init(
        "DIRECTORY", kind: .folder, isOptional: true,
        help: "where to put it (default: a folder for temporary files)")
    ],
    printsRows: false,
    discussion: """
      The store is a small app's, made by storescope itself: sub-entities, ordered and many-to-many relationships,
      history of several authors, and commits that are only in the WAL. A demo store that is there already is opened
      as it is: in the shell on a terminal, else its summary is printed.
      """
  ) { invocation in
    let folder = invocation.argument(0) ?? defaultFolder
    let path = folder + "/" + DemoStore.fileName
    if FileReader.kind(of: path) == nil {
      try StoreFileGuard.checkNewStore(path)
      _ = try DemoStore.make(in: folder)
    }
    invocation.note("the demo store is \(path)")
    if invocation.opensShell { return .shell(ShellRequest(storePath: path)) }
    let session = Session(path: path)
    let document = try StoreSummary(session, progress: invocation.progress)
      .document(showsCommits: false, showsMetadata: false)
    try session.finish()
    return Outcome(document)
  }

  private static var defaultFolder: String {
    "\(Platform.temporaryFolder)/storescope-demo-\(Platform.userID())"
  }
}
