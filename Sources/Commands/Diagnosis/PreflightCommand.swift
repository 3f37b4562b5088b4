import Diagnostics
import Lens
import Rendering
import SQLite
import SystemCalls
import Values

extension Command {
  static let preflight = Command(
    "preflight", summary: "what the app's next launch does to the store",
    options: [
      OptionDefinition(
        .model, value: "PATH", kind: .file, isRepeatable: true,
        help:
          "the app's model, or app bundle; repeat it for models that the app merges (default: the store's own)"
      ),
      OptionDefinition(.cloudKit, help: "assume that the app mirrors the store, even if it doesn't yet"),
      OptionDefinition(.exitCode, help: "exit with 1 unless the verdict is 'safe'"),
    ],
    discussion: """
      Step by step, in the framework's order: does the store open, does its model migrate, what do
      setup, account, token, import and export do. The verdict comes first: safe, fails, losesData or
      unknown. What depends on the server, the account or the app's code is 'likely', the rest is
      certain ('sure' in JSON).

      PATH is a .momd, .mom, .xcdatamodeld or .xcdatamodel, or an app that holds some. Its current
      version is compared with the model that wrote the store, by Apple's rules for lightweight
      migration, and with the store's rows: entities and attributes that are removed with values, and
      attributes that become required while rows have none. 'entities --diff' lists every difference.
      Several models are merged, as the app merges them; pass versions of one model as a .momd.

      Examples:
        storescope preflight App.store
        storescope preflight App.store --model App.app
        storescope preflight App.store --model New.momd --cloudkit --exit-code --json
      """
  ) { invocation in
    let session = try invocation.store()
    let open = try session.open()
    // The check of the file reads all of it, and counting rows may take as long.
    open.connection.onProgress(everyInstructions: 100_000) {
      invocation.progress.phase("checking the store")
      return !Interruption.isWatched || !Interruption.isRequested
    }
    let paths = invocation.arguments.all(.model)
    let app = try paths.isEmpty ? nil : AppModel(paths, of: open.store)
    let forecast = try LaunchForecast(open, app, assumesCloudKit: invocation.arguments.has(.cloudKit))
    let wording = CommandWording(place: invocation.isInShell ? .shell : .program, store: session.path)
    let fails = invocation.arguments.has(.exitCode) && forecast.verdict != .safe
    return Outcome(
      Document(
        command: "preflight", store: try session.identity(),
        fields: [
          .init("steps", .array(forecast.steps.map(\.value))),
          .init("verdict", .text(forecast.verdict.rawValue)),
        ], payload: "steps",
        blocks: [.text(forecast.headline(knowsModel: app != nil))]
          + (forecast.decisive?.fix.map { [.text("Fix: \(wording.worded($0))")] } ?? []) + [
            .text(""), .table(forecast.table),
          ]),
      exitCode: fails ? 1 : Application.ExitCode.done)
  }
}

extension LaunchForecast {
  fileprivate func headline(knowsModel: Bool) -> String {
    guard let step = decisive else {
      return knowsModel
        ? "Safe: nothing in the store prevents the next launch from succeeding."
        : "Safe, unless the app's model has changed ('--model' checks it): nothing in the store prevents the next launch from succeeding."
    }
    let probably = step.isSure ? "" : "probably "
    let place = "\(step.stage.noun)\(step.errorText.map { " (\($0))" } ?? "")"
    return switch verdict {
    case .losesData: "The next launch \(probably)deletes data in \(place). \(step.because)"
    case .fails: "The next launch \(probably)fails in \(place). \(step.because)"
    case .unknown, .safe: "The store doesn't show whether \(place) succeeds. \(step.because)"
    }
  }

  fileprivate var table: RowStream {
    RowStream(
      columns: [.init("step"), .init("outcome"), .init("because")],
      rows: runs.map { run in
        let step = run.first
        let outcome = step.isSure ? step.outcome.words : "likely \(step.outcome.words)"
        let because = step == decisive ? "See above." : step.because
        let stage = run.last == step.stage ? step.stage.words : "\(step.stage.words) to \(run.last.words)"
        return [.text(stage), .text(outcome), .text(because)]
      }, emptyText: "(no steps)"
    ).withSentences()
  }

  /// Steps that follow each other and come to the same, together.
  private var runs: [(first: Step, last: Stage)] {
    var runs: [(first: Step, last: Stage)] = []
    for step in steps {
      if let last = runs.last?.first, last.outcome == step.outcome, last.because == step.because {
        runs[runs.count - 1].last = step.stage
      } else {
        runs.append((step, step.stage))
      }
    }
    return runs
  }
}

extension LaunchForecast.Step {
  /// `NSCocoaErrorDomain 134301`, `CKErrorDomain 25`
  fileprivate var errorText: String? {
    code.map { code in
      Int(code) == nil
        ? code.split(separator: ":").joined(separator: " ") : "NSCocoaErrorDomain \(code)"
    }
  }
}

extension LaunchForecast.Outcome {
  fileprivate var words: String { self == .wipes ? "deletes data" : rawValue }
}

extension LaunchForecast.Stage {
  fileprivate var words: String {
    switch self {
    case .open: "open"
    case .migrate: "migrate"
    case .setUpMirror: "setup"
    case .checkAccount: "account"
    case .checkToken: "token"
    case .import: "import"
    case .export: "export"
    }
  }

  fileprivate var noun: String {
    switch self {
    case .open: "opening the store"
    case .migrate: "the migration"
    case .setUpMirror: "the mirror's setup"
    case .checkAccount: "the account check"
    case .checkToken: "the token check"
    case .import: "the import"
    case .export: "the export"
    }
  }
}
