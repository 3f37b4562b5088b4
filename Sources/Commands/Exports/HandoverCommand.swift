import Archives
import Base
import Diagnostics
import Redaction
import Rendering
import Reports

extension Command {
  static let handover = Command(
    "handover", summary: "pack a report and a copy without values into one zip file",
    printsRows: false,
    options: [
      OptionDefinition(
        .output, short: "o", value: "FILE.zip", kind: .file,
        help: "path of the zip (required); .zip is added to a name without an ending"),
      OptionDefinition(.force, help: "replace FILE.zip if it is a handover"),
      OptionDefinition(.title, value: "TEXT", kind: .word, help: "what it is about: a ticket, a device"),
      OptionDefinition(
        .keep, value: "WHAT", kind: .choice, choices: RedactionOptions.Kept.words.map(\.word),
        isRepeatable: true, help: "keep these values in the copy"),
      CommonOptions.salt,
    ],
    discussion: """
      One file for a support case. It has a README for the recipient, the report as a page and as
      Markdown, the doctor's findings, a copy of the store as 'redact' makes it, with its external
      files, and the JSON of 'summary', 'pending', 'events' and 'history --by author'. Placeholders
      replace all values; equal values get equal placeholders. The title isn't redacted.

      The list SHA256SUMS shows whether anything was changed in transit. With --salt and
      SOURCE_DATE_EPOCH, two runs give the same bytes. If interrupted, it leaves nothing behind.

      Examples:
        storescope handover App.store -o case.zip
        storescope handover App.store -o case.zip --title "Ticket 4711" --salt 4711
        storescope handover App.store -o case.zip --keep programs --force
      """,
    changes: { _ in true },
    documents: [DocumentForm(payload: "files", HandoverDocument.fields.keys())]
  ) { invocation in
    let arguments = invocation.arguments
    guard let output = arguments[.output] else {
      throw UsageError.missingArgument("a path for the zip file: -o FILE.zip", command: "handover")
    }
    guard output != "-" else {
      throw UsageError.conflict("'handover' doesn't write to standard output; give a file.")
    }
    let path = try zipPath(output)
    let session = try invocation.store()
    try OwnOutput.handover.check(path, replaces: arguments.has(.force), store: session.path)
    let identity = try session.identity()
    let salted = try invocation.saltedMarks()
    var options = RedactionOptions(marks: salted ?? .random())
    options.kept = invocation.kept
    let rights = FileRights(like: session.location)
    let (handover, files) = try Interruption.explaining {
      let handover = try HandoverFolder(
        PrivateFolder(near: path), invocation, session, options, isSalted: salted != nil)
      var files: [HandoverFolder.File] = []
      try FileWriter.write(to: path, replacing: arguments.has(.force), rights: rights) { output in
        files = try handover.pack(output) { invocation.progress.phase("packing \($0)") }
      }
      return (handover, files)
    }
    handover.warnings.forEach(invocation.note)
    return .done(
      HandoverDocument(handover: handover, files: files, path: path).document(identity),
      receipt: "wrote \(path)")
  }
}

/// A name without an ending gets one, or the recipient's system wouldn't know how to open the file.
/// - Throws: if it has another ending. What exists under the name is refused by those who look at it.
private func zipPath(_ path: String) throws -> String {
  let name = Platform.fileName(path)
  guard !path.hasSuffix("/"), !name.lowercased().hasSuffix(".zip"), FileReader.kind(of: path) == nil else {
    return path
  }
  guard name.contains(".") else { return path + ".zip" }
  var stem = path[...]
  for _ in 0..<(name.lowercased().contains(".tar.") ? 2 : 1) {
    stem = stem.lastIndex(of: ".").map { stem[..<$0] } ?? stem
  }
  throw UsageError.conflict("'handover' writes a zip file: use -o \(ShellQuotes.word(stem + ".zip")).")
}

/// What `handover` prints.
private struct HandoverDocument {
  let handover: HandoverFolder
  let files: [HandoverFolder.File]
  let path: String

  private var bytes: Int64 { FileReader.size(of: path) ?? 0 }

  static let fields: [Field<Self>] = [
    Field("archive", "the archive") { $0.path }, Field("bytes", "its size") { $0.bytes },
    Field("title", "the text of --title") { $0.handover.title },
    Field("headline", "the report's headline") { $0.handover.headline },
    Field("files", "what is in it") { $0.files },
    Field("problems", "what couldn't be read, one sentence each") { $0.handover.problems },
  ]

  func document(_ identity: StoreIdentity) -> Document {
    let bytes = bytes
    return Document(
      command: "handover", store: identity, payload: "files", Self.fields, of: self,
      blocks: [
        .heading("Handover: \(path), \(Sentence.size(bytes))"), .text(handover.headline),
        .text(""),
        .table(RowStream(columns: [.init("file"), .init("size"), .init("content")], rows: rows)),
        .text(""),
        .text(
          "Values are replaced by placeholders; names from the app's code, counts and times are not. Look at it before you share it."
        ),
      ])
  }

  /// External files in one row: their names say nothing.
  private var rows: [[DataValue]] {
    func row(_ name: String, _ bytes: Int64, _ content: String) -> [DataValue] {
      [.text(name), .text(Sentence.size(bytes)), .text(content)]
    }
    let external = files.filter { HandoverFolder.purpose(of: $0.name) == nil }
    var rows = files.compactMap { file in
      HandoverFolder.purpose(of: file.name).map { row(file.name, file.bytes, $0) }
    }
    if !external.isEmpty {
      rows.append(
        row(
          "store/\(HandoverFolder.supportFolder)", external.map(\.bytes).reduce(0, +),
          "\(Sentence.count(external.count, "file")) of external storage"))
    }
    return rows
  }
}

/// What a handover's recipient reads first. It has no value from the store.
struct HandoverReadme {
  let report: Report
  let made: CoreDataDate
  let title: String?
  /// Of the files that the archive has.
  let names: [String]
  let kept: RedactionOptions.Kept
  let isSalted: Bool
  let hasGivenModel: Bool
  let copy: StoreRedaction.Result

  var text: String {
    """
    \(title.map { TerminalText.escaped($0) + "\n\n" } ?? "")\
    A Core Data store, handed over without its values.
    Made by storescope \(Application.version) on \(TextForPeople.minute(made)) UTC.

    \(TerminalText.wrapped(Sentence.ended(report.headline), to: 80))\
    \(report.conclusion.fix.map { "\n" + TerminalText.wrapped("Fix: " + $0, to: 80) } ?? "")

    WHAT IS IN THIS FOLDER

    \(list.map { "  \($0.name.padded(to: 13)) \($0.purpose)" }.joined(separator: "\n"))

    report.* and doctor.json describe the original; the other JSON files describe the
    copy, with up to \(Sentence.count(HandoverFolder.mostRows, "row")) in each list.
    \(externalFiles)
    VALUES WERE REPLACED

    Placeholders stand for strings, numbers, dates, UUIDs, data and files, for record
    names, zones, owners, programs and paths. Names from the app's code, keys,
    relationships, counts, times of history and of the mirror, states and error codes
    are the original's. The same value has the same placeholder everywhere: what the
    report calls record-3f9a2c… is a UUID that begins with FACADE3F-9A2C in the copy.
    \(isSalted ? "The sender chose the salt: anyone who has it can check guesses." : "The salt was random and isn't kept.")
    \(keptSentence)
    HOW TO OPEN THE COPY

      storescope store/Redacted.store
      storescope doctor store/Redacted.store --verbose
      sqlite3 -readonly store/Redacted.store .tables
      shasum -a 256 -c SHA256SUMS

    LEFT OUT

    \(leftOut.map { "- \($0)" }.joined(separator: "\n"))

    """
  }

  private var list: [(name: String, purpose: String)] {
    HandoverFolder.files.filter { names.contains($0.name) }.compactMap {
      guard $0.name.hasPrefix("store/") else { return $0 }
      return $0.name.hasSuffix("-wal") ? nil : ("store", $0.purpose + ", with what belongs to it")
    }
  }

  private var externalFiles: String {
    copy.files == 0
      ? ""
      : """

      The copy's external files are in store/\(HandoverFolder.supportFolder), a hidden folder, as
      Core Data wants it: keep it next to Redacted.store.

      """
  }

  private var keptSentence: String {
    let words = RedactionOptions.Kept.words.filter { kept.contains($0.kept) }.map(\.word)
    return words.isEmpty ? "" : "The sender kept these in the copy: \(words.joined(separator: ", ")).\n"
  }

  private var leftOut: [String] {
    var sentences = [
      "What is wrong with the original's files themselves: damage, free pages, its -wal.\n  The report and doctor.json have it.",
      "The folder NAME_ckAssets, and what virtual tables hold.",
    ]
    if copy.isGuessed {
      sentences.append(
        "Names: the store has no model, so entities and properties are named by their\n  columns, and only what is provably a key was kept."
      )
    } else if hasGivenModel {
      sentences.append("The model, which the sender gave as a file: pass the app's with --model.")
    }
    if !copy.problems.isEmpty {
      sentences.append(
        "\(Sentence.count(copy.problems.count, "part")) that couldn't be copied; the sender's terminal listed why."
      )
    }
    return sentences
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
