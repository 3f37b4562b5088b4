import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A few threads for work that each can do alone. By pthreads: the queues of Dispatch would make the program a third
/// larger for this one use.
package enum Threads {
  /// As many as may run at the same time.
  package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Runs each body on a thread of its own and comes back when all have ended. What the bodies share they must guard
  /// themselves.
  /// - Parameters:
  ///   - own: what this thread does meanwhile.
  ///   - whileWaiting: called on this thread after that, again and again.
  package static func run<R>(
    _ bodies: [@Sendable () -> Void], meanwhile own: () -> R = {}, whileWaiting: () -> Void
  ) -> R {
    let running = Running(bodies.count)
    let threads = bodies.compactMap { body in
      start {
        body()
        running.endOne()
      }
    }
    let result = own()
    // Short work must not wait for the end of a long pause.
    var pause: UInt32 = 200
    while running.isWorking {
      usleep(pause)
      pause = min(pause * 2, 50_000)
      whileWaiting()
    }
    for thread in threads { pthread_join(thread, nil) }
    return result
  }

  /// Runs the body on a thread of its own, which Ctrl-C leaves to itself: for calls of libraries that take long.
  package static func interruptible<R: Sendable>(_ body: @escaping @Sendable () -> R) throws(InterruptedError)
    -> R
  {
    let result = Result<R>()
    if let thread = start({ result.value.withLock { $0 = body() } }) { pthread_detach(thread) }
    var pause: UInt32 = 200
    while true {
      // The lock is held as long as the body runs.
      if let value = result.value.withLockIfAvailable({ $0 }) ?? nil { return value }
      try Interruption.check()
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
  }

  /// Runs the body on a thread of its own that gets no signals: calls of other threads that wait must end when one comes.
  /// - Returns: false where the system gives no thread more; nothing has run then.
  static func start(inBackground body: @escaping @Sendable () -> Void) -> Bool {
    let thread = startAlone {
      var signals = sigset_t()
      sigfillset(&signals)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      body()
    }
    if let thread { pthread_detach(thread) }
    return thread != nil
  }

  private final class Result<R: Sendable>: Sendable {
    let value = Mutex<R?>(nil)
  }

  private final class Running: Sendable {
    private let left: Atomic<Int>
    init(_ count: Int) { left = Atomic(count) }
    var isWorking: Bool { left.load(ordering: .acquiring) > 0 }
    func endOne() { left.subtract(1, ordering: .acquiringAndReleasing) }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Nil where the system gives no thread more: the body has then run on this one.
  private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    if let thread = startAlone(body) { return thread }
    body()
    return nil
  }

  /// Nil where the system gives no thread more; nothing has run then.
  static func startAlone(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    let context = Unmanaged.passRetained(Work(body)).toOpaque()
    if let thread = makeThread(context) { return thread }
    Unmanaged<Work>.fromOpaque(context).release()
    return nil
  }

  private static func makeThread(_ context: UnsafeMutableRawPointer) -> pthread_t? {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    // Decoders go into nested values as deep as on the main thread; a thread's own default can be 512 KiB.
    pthread_attr_setstacksize(&attributes, 8 << 20)
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = pthread_create(&thread, &attributes, { Threads.perform($0) }, context)
    #else
      var thread = pthread_t()
      let code = pthread_create(&thread, &attributes, { $0.flatMap(Threads.perform) }, context)
    #endif
    pthread_attr_destroy(&attributes)
    return code == 0 ? thread : nil
  }

  private static func perform(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }
}

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
