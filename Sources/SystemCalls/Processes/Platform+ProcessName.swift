import Values

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
  /// `Journeys, process 412`, or `process 412` if the system doesn't report the name.
  package static func described(process id: Int32) -> String {
    (processName(id).map { "\($0), " } ?? "") + "process \(id)"
  }

  /// Whether another process runs this program.
  package static func isOurProgram(process id: Int32) -> Bool {
    processName(id).map { $0 == processName(processID) } ?? false
  }

  /// What a running process is called, also one without a window; nil if the system doesn't report it.
  package static func processName(_ id: Int32) -> String? {
    // https://opensource.apple.com/source/xnu/xnu-7195.81.3/bsd/sys/proc_info.h: a name and its end
    var name = [CChar](repeating: 0, count: 64)
    #if canImport(Darwin)
      guard proc_name(id, &name, UInt32(name.count)) > 0 else { return nil }
    #else
      // A line: https://man7.org/linux/man-pages/man5/proc_pid_comm.5.html
      guard let file = fopen("/proc/\(id)/comm", "re") else { return nil }
      defer { fclose(file) }
      guard fgets(&name, Int32(name.count), file) != nil else { return nil }
    #endif
    let bytes = name.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:))
    return LongName.cut(String(decoding: bytes, as: UTF8.self))
  }
}
