import Base
import Commands
import Forge
import Foundation
import Rendering
import TestSupport
import Testing

/// D1: after a commit the store was opened once more, for notes and to compare it, and what went wrong then hid the
/// result and said that nothing could be told.
struct DoneTests {
  private static func command(_ outcome: @escaping @Sendable (Session) throws -> Outcome) -> Command {
    Command("change", summary: "changes the store", changes: { _ in true }) { try outcome($0.store()) }
  }

  private static var document: Document { Document(command: "change", blocks: [.text("it is done")]) }

  private func run(_ command: Command, _ path: String) throws -> (code: Int32, output: String) {
    var bytes: [UInt8] = []
    var environment = CommandEnvironment()
    environment.storePath = path
    environment.output = .memory { bytes += $0 }
    environment.isVerbose = true
    let code = try Application.run(command, [], in: environment)
    return (code, String(decoding: bytes, as: UTF8.self))
  }

  /// Neither a store that is gone nor one that is written by now is any of a done command's business.
  @Test(arguments: [true, false]) func nothingIsAskedAfterwards(opens: Bool) throws {
    let folder = TemporaryFolder("done")
    let path = try DemoStore.copy(in: folder.path)
    let command = Self.command { session in
      if opens { _ = try session.open() }
      for suffix in ["", "-wal", "-shm"] { Files.remove(session.path + suffix) }
      return .done(Self.document, receipt: "It is done.")
    }
    let result = try run(command, path)
    #expect(result.code == 0 && result.output == "it is done\n", "\(result)")
    #expect(!Files.exists(path))
  }

  /// A finished session isn't opened again by somebody who asks it: closing it then would end the locks of the change.
  @Test func finishedForGood() throws {
    let folder = TemporaryFolder("done")
    let session = Session(path: try DemoStore.copy(in: folder.path))
    let identity = try session.identity()
    try session.finish()
    #expect(try session.identity() == identity)
    #expect(throws: StoreScopeError.self) { try session.opened() }
  }
}
