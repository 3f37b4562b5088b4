import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// A store whose examination hangs, crashes or needs too much memory costs its own row, and no other one.
@Suite(.waiting) struct FleetFailureTests {
  /// "To find a value in a store, type: storescope search STORE other" stood below it.
  @Test func aPathThatDoesNotExistIsNoValueToSearchFor() throws {
    let folder = TemporaryFolder("fleet-missing")
    let result = try Tool.run(["fleet", "absent", "--to", folder.path("run")]).expectErrors(
      status: 2, "absent")
    #expect(!result.errors.contains("search"), "\(result.errors)")
  }

  /// The most important of what a run over many stores promises. A value of 60 MB where Core Data has a few hundred bytes
  /// is read whole: with less memory SQLite gets none for it, with more Swift's runtime aborts, which must not be called a
  /// crash.
  @Test(arguments: [150, 240]) func tooMuchMemory(_ megabytes: Int) throws {
    let place = try FleetPlace()
    let demo = try Demo(leaving: .nothing) {
      try $0.connection.execute("UPDATE Z_METADATA SET Z_PLIST = zeroblob(60000000)")
    }
    try FileManager.default.moveItem(atPath: demo.path, toPath: place.folder.path("huge.store"))
    let run = try place.run(["--memory", "\(megabytes)MB"])
    #expect(run.result.status == 0, "\(run.result.errors)")
    #expect(try FleetPlace.rows("stores", in: run.folder).count == FleetPlace.whole)
    let failures = try FleetPlace.rows("failures", in: run.folder)
    #expect(failures.count == FleetPlace.broken + 1)
    let failure = try #require(failures.first { ($0["address"] as? String ?? "").hasSuffix("huge.store") })
    #expect(failure["failure"] as? String == "outOfMemory", "\(failure)")
    #expect(failure["message"] as? String == "Needed more than \(megabytes) MB of memory.")
  }

  #if os(Linux)
    /// One of the processes is stopped, another is killed, as a bug or the system would do it. One that was killed with a
    /// quarter of its memory in use had been taken for one that needed too much.
    @Test func hangsAndCrashes() throws {
      let place = try FleetPlace()
      let target = TemporaryFolder("fleet-ends")
      let process = Process()
      process.executableURL = URL(filePath: Tool.path)
      process.arguments = [
        "fleet", place.folder.path, "--to", target.path("out"), "--jobs", "1", "--timeout", "10",
        "--memory", "150MB",
      ]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      var met: [Int32] = []
      while process.isRunning, met.count < 2 {
        guard let child = Self.child(of: process.processIdentifier), !met.contains(child) else { continue }
        kill(child, met.isEmpty ? SIGSTOP : SIGKILL)
        met.append(child)
      }
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      let failures = try FleetPlace.rows("failures", in: target.path("out"))
      let stores = try FleetPlace.rows("stores", in: target.path("out"))
      #expect(failures.count + stores.count == FleetPlace.whole + FleetPlace.broken)
      let kinds = failures.compactMap { $0["failure"] as? String }
      #expect(kinds.filter { $0 == "timedOut" }.count == 1, "\(failures)")
      let crash = try #require(failures.first { $0["failure"] as? String == "crashed" }, "\(failures)")
      expectMembers(crash, ["signal": 9, "message": "Was killed by signal 9."])
    }

    /// The whole run hung when a process couldn't even be killed, as while the system waits for a disk that doesn't answer.
    /// One that a debugger holds stays likewise: its end is the debugger's until that lets go.
    @Test func aProcessThatStaysIsGivenUp() throws {
      let place = try FleetPlace()
      let target = TemporaryFolder("fleet-stays")
      let process = Process()
      process.executableURL = URL(filePath: Tool.path)
      process.arguments = [
        "fleet", place.folder.path, "--to", target.path("out"), "--jobs", "1", "--timeout", "10",
      ]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      var held: Int32?
      while process.isRunning, held == nil { held = Self.child(of: process.processIdentifier) }
      guard let held, Debugger.seize(held) else { return process.waitUntilExit() }
      kill(held, SIGSTOP)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      Debugger.letGo(held)
      let failures = try FleetPlace.rows("failures", in: target.path("out"))
      let stores = try FleetPlace.rows("stores", in: target.path("out"))
      #expect(failures.count + stores.count == FleetPlace.whole + FleetPlace.broken)
      #expect(failures.count { $0["failure"] as? String == "timedOut" } == 1, "\(failures)")
    }

    /// Whoever starts this program may have it ignore the ends of its processes, as some supervisors do: then nobody keeps
    /// how they ended, and one store that crashed ended the whole run.
    @Test func endsAreKnownWhoeverStartedIt() throws {
      let place = try FleetPlace()
      let target = TemporaryFolder("fleet-ignoring")
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [
        "--ignore-signal=CHLD", Tool.path, "fleet", place.folder.path, "--to", target.path("out"),
        "--jobs", "1",
      ]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      var killed: Int32?
      while process.isRunning, killed == nil { killed = Self.child(of: process.processIdentifier) }
      if let killed { kill(killed, SIGKILL) }
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      let failures = try FleetPlace.rows("failures", in: target.path("out"))
      let crash = try #require(failures.first { $0["failure"] as? String == "crashed" }, "\(failures)")
      #expect(crash["signal"] as? Int == 9)
    }

    /// Nil until it is another program: before that, the system makes the one that starts it wait for it.
    private static func child(of process: Int32) -> Int32? {
      let path = "/proc/\(process)/task/\(process)/children"
      let text = try? String(contentsOfFile: path, encoding: .utf8)
      guard let child = text?.split(separator: " ").first.flatMap({ Int32($0) }),
        let words = try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8),
        words.contains("__fleet")
      else { return nil }
      return child
    }
  #endif
}

#if os(Linux)
  /// https://man7.org/linux/man-pages/man2/ptrace.2.html
  private enum Debugger {
    private typealias Call = @convention(c) (Int, Int32, Int, Int) -> Int
    private static let seizing = 0x4206

    /// False where the system doesn't allow it.
    static func seize(_ process: Int32) -> Bool {
      guard let symbol = dlsym(nil, "ptrace") else { return false }
      return unsafeBitCast(symbol, to: Call.self)(seizing, process, 0, 0) == 0
    }

    /// Takes note of its end.
    static func letGo(_ process: Int32) {
      var status: Int32 = 0
      while waitpid(process, &status, 0) == process, status & 0x7F == 0x7F {}
    }
  }
#endif
