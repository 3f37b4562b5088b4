import Base
import Diagnostics
import Lens
import Operations
import Rendering
import Reports
import SQLite
import StoreModel

/// One run of `doctor`, over one store or several.
struct DoctorRun {
  let invocation: Invocation
  private let doctor: Doctor
  private let settings: [String: Double]
  private let isWhole: Bool
  let failsAt: Severity?
  /// How many of a finding's objects and of its evidence people see; JSON has up to 100 unless --limit says otherwise.
  let shown: Int
  /// Where the baseline is, and what it holds; nil without one.
  private let baseline: (path: String, file: BaselineFile)?
  private let newBaseline: String?

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    let arguments = invocation.arguments
    let limit = try invocation.limit()
    shown = limit ?? 5
    settings = try DoctorArguments.settings(arguments.all(.set))
    doctor = Doctor(
      rules: try DoctorArguments.rules(arguments.all(.rule), validates: arguments.has(.validate)),
      limit: limit ?? 100)
    isWhole = arguments.all(.rule).isEmpty
    failsAt = arguments[.failOn].map { $0 == "note" ? .info : Severity(rawValue: $0) } ?? .error
    baseline = try arguments[.baseline].map { ($0, try DoctorArguments.baseline($0)) }
    newBaseline = arguments[.writeBaseline]
  }

  var assumesCloudKit: Bool { invocation.arguments.has(.assumeCloudKit) }

  /// What the last line says of findings.
  var hint: String {
    "'storescope \("doctor STORE\(repeated) --verbose")' explains each, with its fix and what the next launch does."
  }

  /// What build servers and code hosts read.
  func special(_ stores: [ExaminedStore]) -> [Format: () -> Document.Special] {
    [
      .sarif: { .json(SARIFLog(stores, rules: doctor.rules, version: Application.version).value) },
      .junit: {
        .text(JUnitReport.text(stores, failsAt: failsAt, isTimed: !Platform.isOutputReproducible))
      },
    ]
  }

  func ofOne(_ session: Session) throws -> Outcome {
    if let newBaseline { try StoreFileGuard.check(newBaseline, keeping: session.path) }
    let report = try examine(session)
    try write([report], keeping: [session.path])
    return Outcome(report.document(), exitCode: report.hasFailed ? 1 : 0)
  }

  func ofSeveral(_ paths: [String]) throws -> Outcome {
    if let newBaseline { for path in paths { try StoreFileGuard.check(newBaseline, keeping: path) } }
    var results: [DoctorResult] = []
    for (index, path) in paths.enumerated() {
      do {
        let place = "\(index + 1) of \(paths.count), \(path): "
        results.append(.examined(try invocation.read(path) { try examine($0, place) }))
      } catch {
        // Nothing but the store itself keeps the others from being checked.
        guard !Interruption.isRequested, !(error is UsageError), !(error is InterruptedError) else {
          throw error
        }
        invocation.progress.finish()
        Application.complain(error, CommandWording(place: .program, store: path))
        results.append(.failed(path: path, Self.reason(error)))
      }
    }
    let reports = results.compactMap(\.report)
    if reports.count == results.count {
      try write(reports, keeping: paths)
    } else if let newBaseline {
      invocation.note(
        "didn't write the baseline \(newBaseline), as it would lack the stores that can't be read")
    }
    let code = reports.contains(where: \.hasFailed) ? 1 : Application.ExitCode.done
    return Outcome(
      SeveralStoresDocument(results: results, run: self).document,
      exitCode: reports.count < results.count ? Application.ExitCode.failed : code)
  }

  /// A sentence, with what stands below it elsewhere, such as the names of an archive's stores.
  private static func reason(_ error: any Error) -> String {
    guard let error = error as? StoreScopeError, !error.list.isEmpty else {
      return Sentence.ended(Suggestion.description(of: error))
    }
    return Sentence.ended("\(error.clause) \(error.list.joined(separator: ", "))")
  }

  /// - Parameter place: what progress says before each step.
  private func examine(_ session: Session, _ place: String = "") throws -> DoctorDocument {
    session.toleratesDamage = true
    let open = try session.open()
    let identity = try session.identity()
    var doctor = doctor
    if let baseline {
      let accepted = baseline.file.baseline(ofStoreAt: session.path, uuid: identity.uuid)
      if accepted == nil { invocation.note("the baseline \(baseline.path) doesn't have \(session.path)") }
      doctor.baseline = accepted ?? Baseline()
    }
    var phase = place + "opening the store"
    doctor.progress = { text in
      phase = place + text
      invocation.progress.step(phase)
    }
    // One statement may take minutes, as the integrity check of a large store does.
    open.connection.onProgress(everyInstructions: 100_000) {
      invocation.progress.phase(phase)
      return !Interruption.isWatched || !Interruption.isRequested
    }
    var diagnosis = try Self.withRefusals(
      doctor.examine(
        Examination(
          open, settings: settings, isThorough: invocation.arguments.has(.thorough),
          assumesCloudKit: assumesCloudKit)), open)
    if let marks = invocation.assistant?.marks {
      diagnosis = diagnosis.masked(try AssistantView.privacy(of: open, marks))
    }
    let mirror = isWhole ? try DoctorArguments.mirror(of: open) : (nil, nil)
    return try DoctorDocument(
      diagnosis, of: identity, in: self,
      Conclusion(diagnosis, mirror.0, problem: mirror.1, isWhole: isWhole),
      wording: CommandWording(place: invocation.isInShell ? .shell : .program, store: session.path),
      titles: FindingTitles(open.store))
  }

  /// With what the fixes don't say: that this store would be refused.
  private static func withRefusals(_ diagnosis: Diagnosis, _ open: OpenStore) throws -> Diagnosis {
    var diagnosis = diagnosis
    do {
      let operations = try OfferedOperations(diagnosis.findings, open, FileCautions(open.bytes()))
      for index in diagnosis.findings.indices {
        diagnosis.findings[index].rule.remedy += operations.note(on: diagnosis.findings[index].rule.id)
      }
    } catch let error as SQLiteError where !error.isInterrupt {
      // Of a damaged store, the findings are what matters.
    }
    return diagnosis
  }

  /// The options without which a second run wouldn't find the same.
  private var repeated: String {
    let judging: Set<OptionName> = [.failOn, .writeBaseline]
    let options = (Command.doctor.options + CommonOptions.store).filter { !judging.contains($0.option) }
    return options.flatMap { option in
      (invocation.arguments.options[option.option] ?? []).map { value in
        " --\(option.name)" + (option.value == nil ? "" : " \(ShellQuotes.readable(value))")
      }
    }.joined()
  }

  private func write(_ reports: [DoctorDocument], keeping stores: [String]) throws {
    guard let newBaseline else { return }
    try DoctorArguments.writeBaseline(of: reports, to: newBaseline, keeping: stores)
    invocation.note("wrote the baseline to \(newBaseline)")
  }
}

/// What came of one of several stores.
enum DoctorResult {
  case examined(DoctorDocument)
  /// Why it couldn't be read, a sentence.
  case failed(path: String, String)

  var report: DoctorDocument? {
    if case .examined(let report) = self { report } else { nil }
  }
}
