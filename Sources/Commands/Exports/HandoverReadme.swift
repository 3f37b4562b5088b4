import Diagnostics
import Redaction
import Rendering
import Reports
import Values

/// What a handover's recipient reads first. It has no value from the store.
struct HandoverReadme {
  private let report: Report
  private let made: CoreDataDate
  private let title: String?
  private let names: Set<String>
  private let kept: RedactionOptions.Kept
  private let isSalted: Bool
  private let isGuessed: Bool
  private let hasGivenModel: Bool
  private let problems: Int
  private let files: Int

  /// - Parameters:
  ///   - names: of the files that the archive has.
  ///   - problems: how many parts the copy lacks.
  ///   - files: external ones in the copy.
  init(
    _ report: Report, made: CoreDataDate, title: String?, listing names: [String],
    kept: RedactionOptions.Kept, isSalted: Bool, isGuessed: Bool, hasGivenModel: Bool, problems: Int,
    files: Int
  ) {
    self.report = report
    self.made = made
    self.title = title
    self.names = Set(names)
    self.kept = kept
    self.isSalted = isSalted
    self.isGuessed = isGuessed
    self.hasGivenModel = hasGivenModel
    self.problems = problems
    self.files = files
  }

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
    files == 0
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
    if isGuessed {
      sentences.append(
        "Names: the store has no model, so entities and properties are named by their\n  columns, and only what is provably a key was kept."
      )
    } else if hasGivenModel {
      sentences.append("The model, which the sender gave as a file: pass the app's with --model.")
    }
    if problems > 0 {
      sentences.append(
        "\(Sentence.count(problems, "part")) that couldn't be copied; the sender's terminal listed why.")
    }
    return sentences
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
