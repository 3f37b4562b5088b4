import Archives
import Base
import Evidence
import Redaction
import Rendering
import Reports
import StoreModel

/// The files of a handover, made one by one in a folder of our own.
struct HandoverFolder {
  struct File: HasFields {
    var name: String
    var bytes: Int64
    var sha256: String

    static let fields: [Field<Self>] = [
      Field("name", "the file") { $0.name }, Field("bytes", "its size") { $0.bytes },
      Field("sha256", .hash, "its hash") { $0.sha256 },
    ]
  }

  /// In which all of it lies in the archive. No name of the store's or of its owner's is in it.
  private static let root = "storescope-handover"
  private static let copyName = "Redacted.store"
  private static let readme = "README.txt"
  private static let hashes = "SHA256SUMS"
  /// The archive begins with it, by which it is known again.
  static let firstFile = "\(root)/\(readme)"

  /// In the order of the archive, whose external files come before the last.
  static let files: [(name: String, purpose: String)] = [
    (readme, "start here"),
    ("report.html", "the report, for a browser"), ("report.md", "the same in short, for an issue"),
    ("doctor.json", "the findings in the original"),
    ("summary.json", "what's in the copy"), ("pending.json", "pending changes"),
    ("events.json", "the mirror's runs"), ("history.json", "changes by author"),
    ("store/\(copyName)", "the copy without values"),
    ("store/\(copyName)-wal", "belongs to the copy: keep it next to it"), (hashes, "SHA-256 of each file"),
  ]

  /// Nil for a file of the copy's external storage.
  static func purpose(of name: String) -> String? { files.first { $0.name == name }?.purpose }

  /// Core Data looks for external files nowhere else.
  static let supportFolder = SideFiles.supportFolder(of: copyName)

  /// Rows of each list in JSON.
  static let mostRows = 10_000
  private static let mostReportRows = 200

  let title: String?
  let headline: String
  /// For the sender, as they may quote paths: what the copy lacks, a sentence each.
  let problems: [String]
  /// The same, and what else the sender has to know of the copy.
  let warnings: [String]
  /// Its files go with it.
  private let place: PrivateFolder
  private let made: CoreDataDate

  /// Reads the store to its end.
  init(
    _ place: PrivateFolder, _ invocation: Invocation, _ session: Session, _ options: RedactionOptions,
    isSalted: Bool
  ) throws {
    self.place = place
    let path = place.path
    title = invocation.arguments[.title]
    made = Platform.dateOfOutput()
    let progress = invocation.progress
    // Hashes are taken while the store isn't open, before and after: see FileReader.fingerprint.
    let before = try session.source.files { progress.phase($0) }
    let open = try session.open()
    var report = try Report.read(
      open, marks: options.marks, title: title, isSalted: isSalted,
      keepsPrograms: options.kept.contains(.programs), version: Application.version,
      limit: Self.mostReportRows, made: made, progress: { text in progress.step(text) })
    let copy = "\(path)/store/\(Self.copyName)"
    try Files.makeFolder("\(path)/store")
    let result = try StoreRedaction(open, to: copy, options).run(finish: session.finish) {
      progress.step($0)
    }
    report.store.compare(before: before, after: try session.source.files { progress.phase($0) })
    headline = report.headline
    problems = result.problems
    warnings = result.warnings

    let document = report.document()
    try Self.write(document, to: "\(path)/report.html", .init(format: .html))
    try Self.write(document, to: "\(path)/report.md", .init(format: .markdown))
    try Self.write(Self.findings(report), to: "\(path)/doctor.json", .init(format: .json))
    let copied = Session(
      path: copy, modelPath: session.modelPath,
      goesOn: Interruption.isWatched ? { !Interruption.isRequested } : nil)
    for (name, command, words) in Self.commands(report) {
      try Self.write(
        Self.answer(command, words, of: copied, invocation), to: "\(path)/\(name).json",
        .init(format: .json, limit: Self.mostRows))
    }
    try copied.finish()
    let names = try Self.contents(of: OpenFolder(path), "") + [Self.hashes]
    let text = HandoverReadme(
      report: report, made: made, title: title, names: names, kept: options.kept,
      isSalted: isSalted, hasGivenModel: session.modelPath != nil, copy: result
    ).text
    try FileWriter.write(text, to: "\(path)/\(Self.readme)", rights: .own)
  }

  // MARK: - Parts

  /// What the copy is asked for: only what the store has.
  private static func commands(_ report: Report) -> [(name: String, Command, [OptionName: [String]])] {
    [("summary", .summary, [:])]
      + (report.mirror == nil ? [] : [("pending", .pending, [:]), ("events", .events, [:])])
      + (report.history == nil ? [] : [("history", .history, [.by: ["author"]])])
  }

  /// As the command prints it where the archive was unpacked.
  private static func answer(
    _ command: Command, _ options: [OptionName: [String]], of session: Session, _ invocation: Invocation
  ) throws -> Document {
    var arguments = ParsedArguments(declared: command.allOptions)
    arguments.options = options
    let outcome = try command.run(
      Invocation(
        arguments: arguments, password: invocation.password, session: session,
        makeSession: invocation.makeSession, dates: invocation.dates, progress: invocation.progress))
    guard case .document(var document, _) = outcome else {
      throw StoreScopeError(.failed, "'\(command.name)' has no result for a handover")
    }
    document.store?.path = "store/\(copyName)"
    return document
  }

  /// The original's, as `doctor` prints them: of the copy's file some would differ.
  private static func findings(_ report: Report) -> Document {
    let wanted = ["findings", "checked", "skipped"]
    let document = report.document()
    return Document(
      command: "doctor", store: document.store, fields: document.fields.filter { wanted.contains($0.name) },
      payload: "findings")
  }

  private static func write(_ document: Document, to path: String, _ options: Renderer.Options) throws {
    try FileWriter.write(to: path, replacing: false, rights: .own) { output in
      try Renderer(output: output, options: options).render(document)
    }
  }

  // MARK: - Archive

  /// Writes the archive.
  /// - Returns: what is in it.
  func pack(_ output: OutputBuffer, progress: (String) -> Void) throws -> [File] {
    try withExtendedLifetime(place) { try pack(OpenFolder(place.path), output, progress) }
  }

  private func pack(
    _ folder: OpenFolder, _ output: OutputBuffer, _ progress: (String) -> Void
  ) throws -> [File] {
    let archive = ZipWriter(output, modified: made)
    var files: [File] = []
    let listed = Self.files.map(\.name)
    let found = try Self.contents(of: folder, "")
    for name in listed.filter(found.contains) + found.filter({ !listed.contains($0) }) where !output.isClosed
    {
      progress(name)
      guard try folder.kind(of: name) == .file else {
        archive.addFolder("\(Self.root)/\(name)")
        continue
      }
      var measure: FileCopy.Measure?
      try archive.add("\(Self.root)/\(name)", size: folder.size(of: name) ?? 0) { add in
        measure = try FileCopy.measure(name, in: folder, each: add)
      }
      if let measure { files.append(File(name: name, bytes: measure.bytes, sha256: measure.sha256)) }
    }
    let sums = files.map { "\($0.sha256)  \($0.name)\n" }.joined()
    let bytes = Array(sums.utf8)
    try bytes.withUnsafeBytes { bytes in
      try archive.add("\(Self.root)/\(Self.hashes)", size: Int64(bytes.count)) { $0(bytes) }
      files.append(
        File(name: Self.hashes, bytes: Int64(bytes.count), sha256: SHA256.hexadecimal(of: bytes)))
    }
    archive.finish()
    return files
  }

  /// Files, and folders without any, sorted.
  private static func contents(of folder: OpenFolder, _ part: String) throws -> [String] {
    try folder.names(in: part).flatMap { name in
      let name = part.isEmpty ? name : "\(part)/\(name)"
      guard try folder.kind(of: name) == .folder else { return [name] }
      let inside = try contents(of: folder, name)
      return inside.isEmpty ? [name] : inside
    }
  }
}
