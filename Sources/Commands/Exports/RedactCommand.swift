import Redaction
import Rendering
import StoreModel
import SystemCalls
import Values

extension Command {
  static let redact = Command(
    "redact", summary: "make a copy to share: structure, history, mirror state, no values",
    printsRows: false,
    options: [
      OptionDefinition(
        .output, short: "o", value: "COPY", kind: .file, help: "path of the copy (required)"),
      OptionDefinition(
        .keep, value: "WHAT", kind: .choice, choices: RedactionOptions.Kept.words.map(\.word),
        isRepeatable: true,
        help: "keep these values"),
      OptionDefinition(
        .keepLengths, help: "keep the length of strings and plain data"),
      CommonOptions.salt,
    ],
    discussion: """
      Strings, data, UUIDs, numbers and dates are replaced; equal values stay equal. NULL and empty strings are kept.
      So are tables, names of entities, properties and authors, the model, keys and relationships, history with its
      times and change masks, and the mirror's flags, numbers, times and error codes: the doctor's findings are the
      same, except those about the files themselves. Programs in history, and authors named like one, get
      placeholders, unless you pass --keep programs. The model and the schema's SQL still contain what developers
      wrote, such as default values. Problems of the files themselves (a damaged -wal, free pages, damaged indexes)
      aren't copied, nor is the folder NAME_ckAssets.

      Original values are never written to the copy, and the store itself is only read. Frequencies remain visible:
      the most common placeholder stands for the most common value. Anyone who has the salt can test guesses.

      Examples:
        storescope redact App.store -o Shareable.store
        storescope redact App.store -o Shareable.store --keep numbers --keep dates --keep-lengths
      """,
    changes: { _ in true },
    documents: [DocumentForm(payload: "tables", RedactionDocument.fields.keys())]
  ) { invocation in
    guard let copy = invocation.arguments[.output] else {
      throw UsageError.missingArgument("a path for the copy: -o COPY", command: "redact")
    }
    guard copy != "-" else {
      throw UsageError.conflict("'redact' writes a store, which can't go to standard output; give a file.")
    }
    let session = try invocation.store()
    try StoreFileGuard.check(copy, keeping: session.path)
    let identity = try session.identity()
    var options = RedactionOptions()
    if let marks = try invocation.saltedMarks() { options.marks = marks }
    options.keepsLengths = invocation.arguments.has(.keepLengths)
    options.kept = invocation.kept
    let result = try Interruption.explaining {
      try StoreRedaction(session.open(), to: copy, options).run(finish: session.finish) {
        invocation.progress.step($0)
      }
    }
    result.warnings.forEach(invocation.note)
    return .done(
      RedactionDocument(
        result, path: copy, options, isVerbose: invocation.isVerbose, limit: try invocation.limit()
      ).document(identity),
      receipt: "The copy is '\(copy)'.")
  }
}

extension Invocation {
  /// What `--keep` names.
  var kept: RedactionOptions.Kept {
    let words = arguments.all(.keep)
    return RedactionOptions.Kept(RedactionOptions.Kept.words.filter { words.contains($0.word) }.map(\.kept))
  }
}

extension StoreRedaction.Result {
  /// What a person has to know of the copy, a sentence each.
  var warnings: [String] {
    let guess =
      "The store has no model, so only what its columns' names prove to be a key was kept. Other numbers were replaced, keys of relationships among them: pass --model to keep those."
    return (isGuessed ? [guess] : []) + problems
  }
}
