#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which other processes have files open, whether or not they hold a lock. Of those of other users only the
/// administrator learns.
package enum FileUsers {
  /// - Returns: the first that is found; nil where there is none.
  package static func process(of files: Set<FileIdentity>) -> Int32? {
    files.isEmpty ? nil : others().first { hasOpen(files, $0) }
  }

  /// The same where it lasts: what looks at a file in passing has it open for a moment.
  package static func lastingProcess(of files: Set<FileIdentity>) -> Int32? {
    var user = process(of: files)
    for _ in 0..<20 {
      guard let found = user else { return nil }
      usleep(20_000)
      // A look at that one process first: one at all of them takes a hundred times as long.
      if !hasOpen(files, found) { user = process(of: files) }
    }
    return user
  }

  /// The same for a store and SQLite's files next to it.
  package static func lastingProcess(ofStore path: String) -> Int32? {
    lastingProcess(of: Set(([""] + SideFiles.suffixes).compactMap { FileIdentity(path + $0) }))
  }

  /// Comes back when nobody else has one of the files open any more.
  /// - Parameter progress: is called with whom it waits for.
  package static func wait(for files: Set<FileIdentity>, progress: (String) -> Void) {
    while let user = process(of: files) {
      repeat {
        progress(
          "waiting for \(Platform.described(process: user)), which opened the store in the meantime, to close it: quit that process, not storescope"
        )
        usleep(50_000)
      } while hasOpen(files, user)
    }
  }

  #if canImport(Darwin)
    private static func others() -> [Int32] {
      let count = proc_listallpids(nil, 0)
      guard count > 0 else { return [] }
      // More may be started meanwhile.
      var processes = [Int32](repeating: 0, count: Int(count) + 64)
      let size = Int32(processes.count * MemoryLayout<Int32>.stride)
      let found = proc_listallpids(&processes, size)
      return processes.prefix(max(0, Int(found))).filter { $0 > 0 && $0 != getpid() }
    }

    private static func hasOpen(_ files: Set<FileIdentity>, _ process: Int32) -> Bool {
      let stride = MemoryLayout<proc_fdinfo>.stride
      let size = proc_pidinfo(process, PROC_PIDLISTFDS, 0, nil, 0)
      guard size > 0 else { return false }
      var descriptors = [proc_fdinfo](repeating: proc_fdinfo(), count: Int(size) / stride + 16)
      let filled = proc_pidinfo(process, PROC_PIDLISTFDS, 0, &descriptors, Int32(descriptors.count * stride))
      return descriptors.prefix(max(0, Int(filled) / stride)).contains { descriptor in
        guard descriptor.proc_fdtype == UInt32(PROX_FDTYPE_VNODE) else { return false }
        var node = vnode_fdinfo()
        let size = Int32(MemoryLayout<vnode_fdinfo>.size)
        guard
          proc_pidfdinfo(process, descriptor.proc_fd, PROC_PIDFDVNODEINFO, &node, size) == size
        else { return false }
        let status = node.pvi.vi_stat
        return files.contains(FileIdentity(device: Int32(bitPattern: status.vst_dev), number: status.vst_ino))
      }
    }
  #else
    // https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html
    private static func others() -> [Int32] {
      let names = (try? FileReader.names(in: "/proc", limit: .max)) ?? []
      return names.compactMap { Int32($0) }.filter { $0 != getpid() }
    }

    private static func hasOpen(_ files: Set<FileIdentity>, _ process: Int32) -> Bool {
      guard let stream = opendir("/proc/\(process)/fd") else { return false }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        // By the name's address, as there are hundreds of processes with dozens of files each.
        let name = UnsafeRawPointer(entry) + nameOffset
        var status = stat()
        guard fstatat(dirfd(stream), name.assumingMemoryBound(to: CChar.self), &status, 0) == 0 else {
          continue
        }
        if files.contains(FileIdentity(device: status.st_dev, number: status.st_ino)) { return true }
      }
      return false
    }

    private static let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
  #endif
}

/// The names under which a file can be opened. SQLite finds a store's -wal and journal by the name that it is given, so
/// two names of one store don't see each other's commits.
/// https://www.sqlite.org/howtocorrupt.html#_multiple_links_to_the_same_file
package enum FileNames {
  /// Whether the file alone is mounted at this path, as a container's volume of a single file is.
  /// - Parameter path: absolute and without links.
  package static func isMountPoint(_ path: String) -> Bool {
    #if !canImport(Darwin)
      // https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html
      guard let mounts = try? FileReader.bytes(of: "/proc/self/mountinfo", limit: 16 << 20) else {
        return false
      }
      let place = path.utf8.flatMap { escapes[$0].map { Array($0.utf8) } ?? [$0] }
      return mounts.split(separator: 0x0A).contains { line in
        let fields = line.split(separator: 0x20, maxSplits: 5)
        return fields.count > 4 && fields[4].elementsEqual(place)
      }
    #else
      return false
    #endif
  }

  #if !canImport(Darwin)
    /// How the kernel writes the characters that would end a field.
    private static let escapes: [UInt8: String] = [
      0x20: "\\040", 0x09: "\\011", 0x0A: "\\012", 0x5C: "\\134",
    ]
  #endif
}
