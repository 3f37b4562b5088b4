import Values

#if canImport(Darwin)
  import Darwin
#endif

extension Platform {
  /// What a running process is called, also one without a window; nil if the system doesn't report it.
  package static func processName(_ id: Int32) -> String? {
    #if canImport(Darwin)
      // https://opensource.apple.com/source/xnu/xnu-7195.81.3/bsd/sys/proc_info.h: a name and its end
      var name = [CChar](repeating: 0, count: 64)
      guard proc_name(id, &name, UInt32(name.count)) > 0 else { return nil }
      return LongName.cut(
        String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    #else
      // https://man7.org/linux/man-pages/man5/proc_pid_comm.5.html
      guard let bytes = try? FileReader.bytes(of: "/proc/\(id)/comm", limit: 64) else { return nil }
      return LongName.cut(String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self))
    #endif
  }
}
