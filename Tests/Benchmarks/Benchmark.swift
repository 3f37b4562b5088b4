import Base
import Forge

#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// Measures the release binary against what others use, as whole processes taken in turn, and prints a Markdown table of
/// ratios: medians, at several sizes, with the memory and how it grows. With `--page` it writes the guide's article.
///
/// `benchmark [--sizes 100000,1000000,10000000] [--only JOB] [--memory] [--results FILE] [--page] [BINARY]`
@main
struct Benchmark {
  private var binary = ".build/release/storescope"
  private var sizes = [100_000, 1_000_000, 10_000_000]
  /// Of jobs whose names contain it; all of them if empty.
  private var part = ""
  /// Runs storescope alone, once: for the memory that it needs for stores that others take hours for.
  private var measuresMemory = false
  /// Where results are kept, for a table or a page of several runs; nil for none.
  private var resultsFile: String?
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
      case "--memory": measuresMemory = true
      case "--results": resultsFile = words.popFirst()
      case "--page": writesPage = true
      case _ where word.hasPrefix("-"):
        throw Self.invalid(
          "There is no option '\(word)': benchmark [--sizes 100000,1000000,10000000] [--only JOB] [--memory] [--results FILE] [--page] [BINARY]."
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
    var results = try Results(file: resultsFile)
    try results.add(conditions: conditions)
    try measure(in: folder, into: &results)
    let table = ResultTable(
      sizes: results.sizes.isEmpty ? sizes : results.sizes,
      rows: rows(of: results.comparisons))
    if writesPage { try write(SpeedPage(conditions: results.conditions, table: table).text) }
    print(results.conditions.joined(separator: "\n\n") + "\n\n" + table.markdown)
  }

  private func measure(in folder: String, into results: inout Results) throws {
    let jobs = Job.all.filter { isWanted($0.name) }
    if isWanted(SmallStore.name), !measuresMemory {
      try results.add(SmallStore.comparison(binary, in: folder).naming(binary, [folder]), of: SmallStore.name)
    }
    for size in sizes where !jobs.isEmpty {
      Self.report("making stores of \(size) objects")
      let place = "\(folder)/\(size)"
      guard mkdir(place, 0o700) == 0 else { throw Self.invalid("The folder \(place) can't be made.") }
      let giant = try Giant.make(objects: size, in: place)
      for job in jobs {
        Self.report("\(job.name), \(size)")
        let command = job.command(binary, giant)
        let comparison =
          measuresMemory
          ? try Comparison(alone: command)
          : try Comparison(command, against: job.peerCommand(giant), rounds: size > 1_000_000 ? 1 : 3)
        try results.add(comparison.naming(binary, [place, folder]), of: job.name, at: size)
      }
      _ = Process.run("/bin/rm", ["-rf", place])
    }
    for peer in ManyStores.Peer.allCases where isWanted(peer.name) && !measuresMemory {
      try results.add(ManyStores.comparison(binary, peer, in: folder).naming(binary, [folder]), of: peer.name)
    }
    if isWanted(LargeArchive.name), !measuresMemory {
      try results.add(
        LargeArchive.comparison(binary, in: folder).naming(binary, [folder]), of: LargeArchive.name)
    }
  }

  /// Of what was measured, in this run or an earlier one.
  private func rows(of comparisons: [String: [Int: Comparison]]) -> [ResultTable.Row] {
    func row(_ name: String, _ make: ([Int: Comparison]) -> ResultTable.Row) -> ResultTable.Row? {
      comparisons[name].map(make)
    }
    return [row(SmallStore.name, SmallStore.row)].compactMap(\.self)
      + Job.all.compactMap { row($0.name, $0.row) }
      + ManyStores.Peer.allCases.compactMap { row($0.name, $0.row) }
      + [row(LargeArchive.name, LargeArchive.row)].compactMap(\.self)
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
    let others = measuresMemory ? "storescope alone" : "against sqlite3 \(answers[3]) and \(answers[4])"
    // One line of a file of results.
    return
      "Measured on \(day): \(answers[5])\(commit) on \(answers[0]), \(answers[1]) cores\(processor), \(others)."
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
