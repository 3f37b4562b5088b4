import Archives
import Base
import Diagnostics
import Discovery
import Evidence
import Fleet
import Rendering

/// One run over many stores: finds them, examines each, writes what came of it.
struct FleetRun {
  private let invocation: Invocation
  private let limits: FleetLimits
  private let folder: String
  private let filter: FoundFilter

  init(_ invocation: Invocation, _ limits: FleetLimits, folder: String) {
    self.invocation = invocation
    self.limits = limits
    self.folder = Platform.withoutLastSlashes(folder)
    filter = FoundFilter(invocation.arguments)
  }

  private var includesValues: Bool { invocation.arguments.has(.includeValues) }

  func run() throws -> Outcome {
    let words = invocation.arguments.positionals
    guard !words.isEmpty else { throw UsageError.missingArgument("PATH", command: "fleet") }
    try StoreFileGuard.check(folder, keeping: nil)
    var (places, skipped, left) = try find(words)
    guard !places.isEmpty || !skipped.isEmpty else {
      var error = StoreScopeError(
        .notFound,
        "No store of Core Data or SwiftData was found in \(words.map { "'\($0)'" }.joined(separator: ", "))",
        advice: "check the paths")
      error.list = leftOut(left)
      throw error
    }
    let results = try FleetFolder(
      folder, heading: heading(words), rights: includesValues ? .own : .ordinary)
    let before = (places.map(\.address) + skipped.map(\.address)).count(where: results.has)
    for place in skipped where !results.has(place.address) {
      let answer = FleetTask.Answer.record.bytes(Self.failure(place), address: place.address)
      try results.add(answer, of: place.address)
    }
    let total = places.count + skipped.count
    do { try examine(places, total: total, results) } catch {
      guard error is InterruptedError || Interruption.isRequested else { throw error }
      throw InterruptedError(
        "\(Sentence.number(results.count)) of \(Sentence.count(total, "store")) are done; run the same command again to continue"
      )
    }
    var tally = FleetTally()
    let files = try results.finish(version: Application.version) { count in
      invocation.progress.phase(
        "writing the files, \(Sentence.number(count)) of \(Sentence.number(total)) stores")
    } left: {
      left.append($0)
    } each: {
      tally.add($0, $1)
    }
    return outcome(
      tally, files, left: left.map(Address.init).sorted().map(\.text),
      resumed: before > 0
        ? "Resumed: \(Sentence.number(before)) of \(Sentence.count(total, "store")) were done already." : nil)
  }

  // MARK: - Stores

  /// - Returns: what may be stores, what can't be read, and the addresses of databases that aren't Core Data's.
  private func find(_ words: [String]) throws -> ([FoundPlace], [SkippedPlace], left: [String]) {
    var left: Set<Address> = []
    var places: [FoundPlace] = []
    var skipped: [Address: SkippedPlace] = [:]
    let progress = invocation.progress
    let finder = StoreFinder(
      .init(
        candidate: { if filter.includes($0) { places.append($0) } },
        skipped: { place in
          guard filter.includes(place) else { return }
          let address = Address(place.address)
          skipped[address] = skipped[address]?.adding(place) ?? place
        }, left: { if filter.includes($0) { left.insert(Address($0.address)) } },
        progress: { progress.phase($0) }), password: invocation.password)
    for word in words {
      do {
        try finder.look(at: Command.place(word, behind: nil, isForOne: false, invocation.password))
      } catch let error where words.count > 1 { try finder.leaveOut(word, because: error) }
    }
    for place in places { skipped[Address(place.address)] = nil }
    return (places, skipped.sorted { $0.key < $1.key }.map(\.value), left.sorted().map(\.text))
  }

  private static func failure(_ place: SkippedPlace) -> StoreFailure {
    // A search gives reasons in words.
    let kind: StoreFailure.Kind =
      if !place.mayBeStore {
        .notAStore
      } else if place.because.contains("encrypted") {
        .encrypted
      } else {
        place.because.contains("damaged") ? .damaged : .unreadable
      }
    return StoreFailure(kind, Sentence.begun(place.because))
  }

  /// What decides what is written. Relative paths lead elsewhere from another folder.
  private func heading(_ words: [String]) -> DataValue {
    let isRelative = !words.allSatisfy { $0.hasPrefix("/") || $0.lowercased().hasPrefix("file:/") }
    return [
      "paths": .array(words.map(DataValue.text)),
      "folder": isRelative ? .text(Platform.realPath(".") ?? Platform.absolutePath(".")) : .null,
      "apps": .array(invocation.arguments.all(.app).map(DataValue.text)),
      "mirrored": .bool(filter.isMirrored), "values": .bool(includesValues),
      "timeout": .count(limits.seconds), "memory": .integer(limits.memory),
      "version": .text(Application.version),
    ]
  }

  private func examine(_ places: [FoundPlace], total: Int, _ results: FleetFolder) throws {
    let task = FleetTask(invocation, limits, answer: .record)
    let places = places.filter { !results.has($0.address) }
    var rest = places[...]
    var archive = ConsecutiveArchive()
    var pace = FleetPace(total: total, before: total - places.count)
    let start = Platform.monotonicSeconds()
    try limits.pool(of: FleetTask.Item.self).run(
      next: { try rest.popFirst().map { .item(try FleetTask.Item($0, in: &archive)) } ?? .end },
      input: { task.input($0, invocation.password.keyring) },
      done: { item, result in
        pace.add()
        let address = item.place.address
        switch result {
        case .success(let record) where StoreRecord.isWhole(record, of: address):
          try results.add(record, of: address)
        case .success: try results.add(task.answer.bytes(.incomplete, address: address), of: address)
        case .failure(let failure):
          try results.add(task.answer.bytes(failure, address: address), of: address)
        }
      },
      progress: { invocation.progress.phase(pace.words(after: Platform.monotonicSeconds() - start)) })
  }

  // MARK: - Result

  /// So many addresses of what was left out are for people; JSON has all.
  private static let mostListed = 10

  /// What was left out, and why, in lines.
  private func leftOut(_ left: [String]) -> [String] {
    guard !left.isEmpty else { return [] }
    let count = Sentence.count(left.count, "database")
    let reason = filter.isMirrored ? "not mirrored, or not a store of Core Data" : "not a store of Core Data"
    let more = left.count - Self.mostListed
    return ["\(count) left out (\(reason)):"] + left.prefix(Self.mostListed).map { "  \(LongName.cut($0))" }
      + (more > 0 ? ["  … and \(Sentence.number(more)) more; --json lists all"] : [])
  }

  /// - Parameters:
  ///   - left: addresses of what isn't in any file.
  ///   - resumed: a sentence; nil if nothing was done before.
  private func outcome(
    _ tally: FleetTally, _ files: [FleetFolder.Files], left: [String], resumed: String?
  ) -> Outcome {
    let quoted = ShellQuotes.word(folder)
    var blocks: [Document.Block] = [resumed, tally.sentence, tally.causeSentence].compactMap {
      $0.map { Document.Block.text($0) }
    }
    if let failures = tally.failureSentence { blocks.append(.text(failures)) }
    if !left.isEmpty { blocks.append(.lines(leftOut(left))) }
    blocks += [
      .text(""), .text("The files are in '\(folder)'; \(FleetFolder.manifestName) explains their columns."),
      .lines([
        "  storescope fleet report \(quoted) -o fleet.html",
        "  cd \(quoted) && duckdb -init load.sql -c '.read queries/common-findings.sql'",
      ]),
    ]
    let document = Document(
      command: "fleet", payload: "datasets", FleetForms.runFields, of: (folder, tally, left, files),
      blocks: blocks)
    let failure: StoreScopeError? =
      tally.stores > 0 ? nil : StoreScopeError(.unreadable, "None of the stores could be read")
    return .done(document, receipt: "wrote \(folder)", failure: failure)
  }
}

/// How the stores are doing.
struct FleetTally {
  private(set) var stores = 0
  private(set) var failed = 0
  private(set) var outcomes: [String: Int] = [:]
  private(set) var failures: [String: Int] = [:]
  /// The first error of each blocked store, by its title.
  private var causes = Tallies<String, Int>()
  /// Whether the store whose findings follow is blocked, and has no cause yet.
  private var lacksCause = false

  mutating func add(_ dataset: Dataset, _ lines: ArraySlice<UInt8>) {
    for line in lines.split(separator: 0x0A) {
      guard let row = try? line.withUnsafeBytes({ try JSONReader.read($0) }) else { continue }
      if let outcome = row["outcome"]?.text {
        stores += 1
        outcomes[outcome, default: 0] += 1
        lacksCause = outcome == Health.blocked.rawValue
      } else if row["rule"] != nil {
        guard lacksCause, row["severity"]?.text == Severity.error.rawValue, let title = row["title"]?.text
        else { continue }
        causes.update(title, default: 0) { $0 += 1 }
        lacksCause = false
      } else if let failure = row["failure"]?.text {
        failed += 1
        failures[failure, default: 0] += 1
      }
    }
  }

  /// `4 stores: 2 healthy, 1 in need of attention, 1 blocked.`
  var sentence: String {
    let parts = Health.allCases.compactMap { health in
      outcomes[health.rawValue].map { "\(Sentence.number($0)) \(health.counted)" }
    }
    return "\(Sentence.count(stores, "store")): \(parts.isEmpty ? "none" : parts.joined(separator: ", "))."
  }

  /// Why stores are blocked, if it is the same for most of them.
  var causeSentence: String? {
    let blocked = outcomes[Health.blocked.rawValue] ?? 0
    guard let (title, count) = causes.sorted.first, 2 * count > blocked else { return nil }
    let share = count == blocked ? "" : ", in \(Sentence.number(count)) of \(Sentence.number(blocked))"
    return "Why sync is blocked\(share): \(title)."
  }

  var failureSentence: String? {
    guard failed > 0 else { return nil }
    let kinds = StoreFailure.Kind.allCases.compactMap { kind in
      failures[kind.rawValue].map { "\(Sentence.number($0)) \(StoreFailure.words(kind))" }
    }
    return
      "\(Sentence.number(failed)) more couldn't be read: \(kinds.joined(separator: ", ")); \(Dataset.failures.fileName()) lists them."
  }
}

/// How far a run over many stores is. What an earlier run has done says nothing of how fast this one is.
struct FleetPace {
  let total: Int
  /// How many were done when it began.
  let before: Int
  private(set) var done = 0

  mutating func add() { done += 1 }

  /// `250 of 1,000 stores, 50 per second, 15 s left`
  func words(after seconds: Double) -> String {
    let rate = Double(done) / max(seconds, 0.001)
    let rest = total - before - done
    let left = done > 0 ? ", \(Sentence.seconds(Double(rest) / rate)) left" : ""
    return
      "\(Sentence.number(before + done)) of \(Sentence.count(total, "store")), \(Sentence.number(Int(rate))) per second\(left)"
  }
}
