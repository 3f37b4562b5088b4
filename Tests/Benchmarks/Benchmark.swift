import Forge
import SystemCalls
import Values

#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// Measures the release binary against what others use, as whole processes taken in turn, and prints a Markdown table of
/// ratios: medians, at several sizes, with the memory and how it grows. With `--page` it writes the guide's article.
///
/// `benchmark [--sizes 100000,1000000,10000000] [--only JOB] [--page] [BINARY]`
@main
struct Benchmark {
  private var binary = ".build/release/storescope"
  private var sizes = [100_000, 1_000_000, 10_000_000]
  /// Of jobs whose names contain it; all of them if empty.
  private var part = ""
  private var writesPage = false

  static func main() {
    do {
      switch CommandLine.arguments.dropFirst().first {
      case Giant.forgeOption: try Giant.forge()
      case LargeArchive.forgeOption: try LargeArchive.forge()
      default: try Benchmark(CommandLine.arguments.dropFirst()).run()
      }
    } catch {
      report("benchmark: \(error)")
      exit(1)
    }
  }

  private init(_ words: ArraySlice<String>) throws {
    var words = words
    while let word = words.popFirst() {
      switch word {
      case "--sizes":
        sizes = (words.popFirst() ?? "").split(separator: ",").compactMap { Int($0) }
        guard !sizes.isEmpty else { throw Self.invalid("'--sizes' takes numbers: 100000,1000000") }
      case "--only": part = words.popFirst() ?? ""
      case "--page": writesPage = true
      case _ where word.hasPrefix("-"):
        throw Self.invalid(
          "There is no option '\(word)': benchmark [--sizes 100000,1000000,10000000] [--only JOB] [--page] [BINARY]."
        )
      default: binary = word
      }
    }
    guard access(binary, X_OK) == 0 else {
      throw Self.invalid(
        "There is no \(binary); build it with 'swift build -c release --static-swift-stdlib' first.")
    }
  }

  private static func invalid(_ sentence: String) -> StoreScopeError { StoreScopeError(.failed, sentence) }

  private func run() throws {
    let folder = "/tmp/storescope-benchmark-\(getpid())"
    guard mkdir(folder, 0o700) == 0 else { throw Self.invalid("The folder \(folder) can't be made.") }
    defer { _ = Process.run("/bin/rm", ["-rf", folder]) }
    let jobs = Job.all.filter { isWanted($0.name) }
    var table = ResultTable(sizes: sizes)
    if isWanted(SmallStore.name) { table.add(try SmallStore.row(binary, in: folder)) }
    var results = [[Int: Comparison]](repeating: [:], count: jobs.count)
    for size in sizes where !jobs.isEmpty {
      Self.report("making stores of \(size) objects")
      let place = "\(folder)/\(size)"
      guard mkdir(place, 0o700) == 0 else { throw Self.invalid("The folder \(place) can't be made.") }
      let giant = try Giant.make(objects: size, in: place)
      for (index, job) in jobs.enumerated() {
        Self.report("\(job.name), \(size)")
        results[index][size] = try Comparison(
          job.command(binary, giant), against: job.peerCommand(giant), rounds: size > 1_000_000 ? 1 : 3)
      }
      _ = Process.run("/bin/rm", ["-rf", place])
    }
    for (job, comparisons) in zip(jobs, results) { table.add(ResultTable.Row(job, comparisons)) }
    if isWanted(ManyStores.name) { table.add(try ManyStores.row(binary, in: folder)) }
    if isWanted(LargeArchive.name) { table.add(try LargeArchive.row(binary, in: folder)) }
    let conditions = conditions
    if writesPage { try write(SpeedPage(conditions: conditions, table: table, folder: folder).text) }
    print(conditions + "\n\n" + table.markdown)
  }

  private func write(_ page: String) throws {
    guard let file = OpenFile(SpeedPage.path, for: .rewriting), file.write(page) else {
      throw Self.invalid("\(SpeedPage.path) can't be written. Run it in the folder of the sources.")
    }
  }

  private func isWanted(_ name: String) -> Bool { part.isEmpty || name.contains(part) }

  /// On standard error, as the table is what is kept.
  private static func report(_ text: String) {
    fputs("\(text)\n", stderr)
  }

  /// When and on what it was measured.
  private var conditions: String {
    let day = (Platform.now().iso8601 ?? "").prefix(10)
    let commands = [
      "uname -srm", "nproc 2>/dev/null || sysctl -n hw.ncpu",
      "sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -1",
      "sqlite3 --version | cut -d' ' -f1", "grep --version | head -1", "\(binary) --version | head -1",
      "git rev-parse --short HEAD 2>/dev/null",
    ]
    let answers = commands.map { Self.output(of: $0) }
    let processor = answers[2].isEmpty ? "" : " (\(answers[2]))"
    let commit = answers[6].isEmpty ? "" : " (\(answers[6]))"
    return """
      Measured on \(day): \(answers[5])\(commit) on \(answers[0]), \(answers[1]) cores\(processor), against sqlite3
      \(answers[3]) and \(answers[4]).
      """
  }

  private static func output(of script: String) -> String {
    guard let pipe = popen(script, "r") else { return "" }
    defer { pclose(pipe) }
    var buffer = [CChar](repeating: 0, count: 256)
    guard fgets(&buffer, 256, pipe) != nil else { return "" }
    return String(
      decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
