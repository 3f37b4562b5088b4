import Base
import Commands
import Shell

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The program, started once and forked for each run: a copy is there in a tenth of the time that loading takes, with
/// nothing of any run before it but what `warmUp` leaves. Runs other programs as well. Ends with its standard input.
/// Its argument is an empty folder for itself, which isn't needed any more after the first byte of its output.
///
/// A request is its length in bytes (4 bytes), then texts, each with a NUL behind it: working folder (empty for this
/// one), seconds until the run is stopped, the number of the user whose rights it has (empty for this one), the path of
/// another program (empty for this one), files for standard input, output and error, how many variables the environment
/// has, these as `name=value`, and the words after the program's name. The answer is two numbers of 8 bytes: the status
/// as wait(2) reports it, and the most memory that the run took, in bytes.
@main struct ForkServer {
  static func main() {
    // What `fleet` and `mcp` start is their own program again.
    if let code = Application.runPart() { Platform.exit(code) }
    if CommandLine.arguments.count > 1 { warmUp(CommandLine.arguments[1]) }
    guard [UInt8(1)].withUnsafeBytes({ Platform.write($0, to: 1) }) else { return }
    while let request = Request() {
      let process = fork()
      if process == 0 { run(request) }
      // Without an answer the test fails; with one, a run that never was would seem to have gone well.
      guard process > 0 else { return }
      var (status, usage): (Int32, rusage) = (0, rusage())
      while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
      #if canImport(Darwin)
        let memory = Int64(usage.ru_maxrss)
      #else
        let memory = Int64(usage.ru_maxrss) * 1024
      #endif
      let answer = [Int64(status), memory]
      guard answer.withUnsafeBytes({ Platform.write($0, to: 1) }) else { return }
    }
  }

  nonisolated(unsafe) private static var request: Request?

  /// On a new thread: Swift's `Mutex` remembers the number of its thread, which is another one after fork(2), and then
  /// can't be waited for.
  private static func run(_ request: Request) {
    self.request = request
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
      if let request = ForkServer.request { request.run() }
      return nil
    }
    guard pthread_create(&thread, nil, start, nil) == 0 else { _exit(1) }
    // It ends the process.
    while true { pause() }
  }

  /// Runs the commands once that tests run often. Swift finds types and conformances, and the linker functions, when code needs them
  /// for the first time; without this, half of a run's time would go into finding them again.
  private static func warmUp(_ folder: String) {
    let kept = [dup(1), dup(2)]
    let null = open("/dev/null", O_WRONLY)
    for descriptor: Int32 in [1, 2] { dup2(null, descriptor) }
    let store = "\(folder)/demo/Journeys.store"
    for words in [
      ["demo", "\(folder)/demo"], ["summary", store, "--metadata"], ["summary", store, "--json"],
      ["entities", store], ["rows", store, "Trip", "--expand", "--json"],
      ["rows", store, "Entry", "--where", "rating > 3"], ["show", store, "Trip/p1"],
      ["history", store, "--json"], ["history", store, "--by", "author"], ["records", store],
      ["events", store], ["pending", store], ["trace", store, "Trip/p1"], ["doctor", store],
      ["query", store, "SELECT * FROM changes", "--format", "csv"], ["search", store, "lisbon"],
      ["preflight", store], ["resync", store, "--pull"], ["find", folder],
      ["redact", store, "-o", "\(folder)/copy.store"], ["diff", store, "\(folder)/copy.store"],
      ["report", store, "-o", "-"],
    ] {
      _ = Application.run(["storescope"] + words, shell: { _ in 0 })
    }
    for (index, descriptor) in kept.enumerated() {
      dup2(descriptor, Int32(index + 1))
      close(descriptor)
    }
    close(null)
    // A program that is started inherits it.
    signal(SIGPIPE, SIG_DFL)
  }

  /// fork(2), which Swift hides as it does harm where there are other threads. Here is only the
  /// watchdog's, which sleeps; each process starts its own.
  private static func fork() -> pid_t {
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork") else { return -1 }
    return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
  }
}

private struct Request {
  private var folder: String
  private var seconds: UInt32
  private var user: uid_t?
  private var program: String
  private var files: [String]
  private var environment: [String]
  private var words: [String]

  /// The next; nil where there is none any more.
  init?() {
    guard let count = Self.bytes(4)?.withUnsafeBytes({ $0.loadUnaligned(as: UInt32.self) }),
      let bytes = Self.bytes(Int(count))
    else { return nil }
    let texts = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard texts.count > 8, let seconds = UInt32(texts[1]), let variables = Int(texts[7]) else { return nil }
    folder = texts[0]
    self.seconds = seconds
    user = uid_t(texts[2])
    program = texts[3]
    files = Array(texts[4...6])
    environment = Array(texts[8..<(8 + variables)])
    // Behind the last NUL is nothing.
    words = Array(texts[(8 + variables)...].dropLast())
  }

  private static func bytes(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var start = 0
    while start < count {
      let taken = bytes.withUnsafeMutableBytes { read(0, $0.baseAddress.map { $0 + start }, count - start) }
      guard taken > 0 else { return nil }
      start += taken
    }
    return bytes
  }

  func run() -> Never {
    for (index, file) in files.enumerated() {
      let flags = index == 0 ? O_RDONLY : O_RDWR | O_CREAT
      let descriptor = open(file, flags | O_NOCTTY, 0o600)
      guard descriptor >= 0 else { Platform.exit(127) }
      dup2(descriptor, Int32(index))
      close(descriptor)
    }
    for name in Self.variables { unsetenv(name) }
    for variable in environment {
      let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      setenv(String(parts[0]), String(parts[1]), 1)
    }
    if !folder.isEmpty { chdir(folder) }
    if let user, setgroups(0, nil) != 0 || setuid(user) != 0 { Platform.exit(126) }
    alarm(seconds)
    if !program.isEmpty {
      var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
      execv(program, &arguments)
      Platform.exit(127)
    }
    Platform.exit(Application.run(["storescope"] + words, shell: StoreShell.open))
  }

  private static var variables: [String] {
    var names: [String] = []
    var next = environ
    while let variable = next.pointee {
      names.append(String(String(cString: variable).prefix { $0 != "=" }))
      next += 1
    }
    return names
  }
}
