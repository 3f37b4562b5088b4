#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The processor time of a thread, which every other thread can ask for.
package struct ThreadClock: Equatable, Sendable {
  /// The system's name for it.
  package let number: Int

  package init(number: Int) { self.number = number }

  /// Of the thread that asks.
  package static var own: ThreadClock {
    #if canImport(Darwin)
      ThreadClock(number: Int(pthread_mach_thread_np(pthread_self())))
    #else
      // https://man7.org/linux/man-pages/man3/pthread_getcpuclockid.3.html
      var clock: clockid_t = 0
      pthread_getcpuclockid(pthread_self(), &clock)
      return ThreadClock(number: Int(clock))
    #endif
  }

  /// Nil once the thread has ended.
  package var seconds: Double? {
    #if canImport(Darwin)
      var info = thread_basic_info()
      let words = MemoryLayout<thread_basic_info>.size / MemoryLayout<natural_t>.size
      var count = mach_msg_type_number_t(words)
      let code = withUnsafeMutablePointer(to: &info) { info in
        info.withMemoryRebound(to: integer_t.self, capacity: words) {
          thread_info(thread_act_t(number), thread_flavor_t(THREAD_BASIC_INFO), $0, &count)
        }
      }
      guard code == KERN_SUCCESS else { return nil }
      return [info.user_time, info.system_time].reduce(0) {
        $0 + Double($1.seconds) + Double($1.microseconds) / 1e6
      }
    #else
      var time = timespec()
      guard clock_gettime(clockid_t(number), &time) == 0 else { return nil }
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    #endif
  }
}
