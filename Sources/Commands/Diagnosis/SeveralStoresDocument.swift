import Base
import Diagnostics
import Rendering

/// What `doctor` says of several stores: what it says of each, and how many of them are well.
struct SeveralStoresDocument {
  let results: [DoctorResult]
  let run: DoctorRun

  var document: Document {
    var document = Document(
      command: "doctor",
      fields: [
        .init("stores", objects: results.map(\.fields), flat: rows, flatName: "findings")
      ],
      payload: "stores", blocks: blocks)
    document.isLimited = false
    if !run.invocation.isVerbose,
      results.contains(where: { !($0.report?.diagnosis.findings.isEmpty ?? true) })
    {
      document.blocks.append(.text(run.hint))
    }
    document.special = run.special(results.map(\.examined))
    return document
  }

  /// On a terminal the end is what people see, in a file the beginning.
  private var blocks: [Document.Block] {
    let all = results.flatMap(\.blocks)
    let leadsWithSum = run.invocation.arguments[.format] == Format.markdown.rawValue
    return leadsWithSum ? [.heading(sum)] + all : all + [.heading(sum)]
  }

  /// A row per finding, and one per store that couldn't be read.
  private var rows: RowStream {
    RowStream(
      objects: results.flatMap { result -> [DataValue] in
        switch result {
        case .examined(let report):
          report.diagnosis.findings.map { finding in
            guard case .object(let members) = finding.value else { return finding.value }
            return .object([.init("store", .text(report.identity.path))] + members)
          }
        case .failed(let path, let why): [["store": .text(path), "failure": .text(why)]]
        }
      })
  }

  private static let named = 5

  /// `4 stores: 2 healthy, 1 blocked. Couldn't be read: Old.store.`
  private var sum: String {
    let counts = Dictionary(results.compactMap(\.report?.outcome).map { ($0, 1) }, uniquingKeysWith: +)
    let parts = Conclusion.outcomes.compactMap { outcome in
      counts[outcome].map { "\(Sentence.number($0)) \(outcome)" }
    }
    let failed = results.compactMap { if case .failed(let path, _) = $0 { path } else { nil } }
    var sentences = ["\(Sentence.count(results.count, "store")): \(parts.joined(separator: ", "))."]
    if parts.isEmpty { sentences = ["None of \(Sentence.count(results.count, "store")) could be read."] }
    if !failed.isEmpty, !parts.isEmpty {
      let more = failed.count - Self.named
      sentences.append(
        "Couldn't be read: \(failed.prefix(Self.named).joined(separator: ", "))\(more > 0 ? " and \(more) more" : "")."
      )
    }
    return sentences.joined(separator: " ")
  }
}

extension DoctorResult {
  static let store = Shape.Key("store", StoreIdentity.shape, "the store")

  fileprivate var fields: [Document.Field] {
    switch self {
    case .examined(let report): [.init("store", report.identity.value)] + report.fields
    case .failed(let path, let why):
      [
        .init("store", StoreIdentity(path: path, uuid: nil, frameworkVersion: nil).value),
        .init("failure", .text(why)),
      ]
    }
  }

  fileprivate var blocks: [Document.Block] {
    switch self {
    case .examined(let report): [.heading(report.identity.path)] + report.blocks
    case .failed(let path, let why): [.heading(path), .text("Not checked: \(why)")]
    }
  }

  fileprivate var examined: ExaminedStore {
    switch self {
    case .examined(let report): report.examined
    case .failed(let path, let why): ExaminedStore(path: path, uuid: nil, outcome: .failed(why))
    }
  }
}
