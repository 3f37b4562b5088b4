import SystemCalls

#if os(Linux)
  import Evidence
  import Foundation
  import SQLite
  import TestSupport
  import Testing
  import Values

  /// A4: every reading moved the time of last access of the store's files, though "no time stamp" is promised. The owner
  /// can read without that on Linux.
  struct AccessTimeTests {
    private static func accessed(_ path: String) -> Int {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_atim.tv_sec : -1
    }

    @Test(arguments: ForgedStore.State.allCases) func readingLeavesIt(_ state: ForgedStore.State) throws {
      let store = try ForgedStore(state)
      let paths = [store.folder.path] + (try store.folder.names()).map(store.folder.path)
      let long = timespec(tv_sec: 978_307_200, tv_nsec: 0)
      // UTIME_OMIT, which Glibc's module leaves out: the time of the last change stays.
      let times = [long, timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)]
      for path in paths { try #require(utimensat(AT_FDCWD, path, times, 0) == 0) }
      let opened = try StoreOpener.open(path: store.path)
      #expect(try opened.connection.value("SELECT count(*) FROM t") == .integer(state.rowCount))
      _ = try FileReader.names(in: store.folder.path)
      try opened.finish()
      for path in paths { #expect(Self.accessed(path) == long.tv_sec, "\(path)") }
    }
  }
#endif
