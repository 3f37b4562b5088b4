#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What happens when a signal comes. https://man7.org/linux/man-pages/man7/signal.7.html
struct SignalAction {
  typealias Handler = @convention(c) (Int32) -> Void
  private var action = sigaction()

  /// Calls that wait end with EINTR then.
  init(_ handler: @escaping Handler) {
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    // Without SA_RESTART.
    action.sa_flags = 0
  }

  /// What happens now.
  init(of signal: Int32) { sigaction(signal, nil, &action) }

  func set(for signal: Int32) {
    var action = action
    sigaction(signal, &action, nil)
  }

  /// As nohup(1) has it.
  var ignores: Bool {
    #if canImport(Darwin)
      let handler: Handler? = action.__sigaction_u.__sa_handler
    #else
      let handler: Handler? = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
