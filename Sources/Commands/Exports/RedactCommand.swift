import Redaction
import Rendering
import StoreModel
import Values

extension Command {
  static let redact = Command(
    "redact", summary: "a copy that can be handed over: structure, history, mirror state, no values",
    printsRows: false,
    options: [
      OptionDefinition(
        .output, short: "o", value: "COPY", kind: .file, help: "where to make the copy (needed)"),
      OptionDefinition(
        .keep, value: "WHAT", kind: .choice, choices: RedactionOptions.Kept.words.map(\.word),
        isRepeatable: true,
        help: "leave these as they are"),
      OptionDefinition(
        .keepLengths, help: "marks of texts and of plain data as long as what they stand for"),
      OptionDefinition(
        .salt, value: "TEXT", kind: .word,
        help: "the same marks in every run with this text (default: random)"),
    ],
    discussion: """
      Texts, data, UUIDs, numbers and dates are replaced; equal ones stay equal. NULL and the empty text stay. Tables,
      names of entities and properties, the model, keys and relationships, history with its times and change masks,
      and the mirror's flags, numbers, times and error codes stay, so that the doctor finds the same. History names
      programs by marks; --keep programs leaves their names. The model and the schema's SQL hold what their authors
      wrote into them, such as default values. What is in the way the files lie (a damaged -wal, free pages, damaged
      indexes) isn't in the copy, nor what waits in the folder NAME_ckAssets.

      Nothing that is replaced is ever written to the copy, and the store itself is only read. Frequencies still show:
      the commonest mark stands for the commonest value. Who knows the salt can test guesses.

      Examples:
        storescope redact App.store -o Shareable.store
        storescope redact App.store -o Shareable.store --keep numbers --keep dates --keep-lengths
      """,
    changes: { _ in true }
  ) { invocation in
    guard let copy = invocation.arguments[.output] else {
      throw UsageError.missingArgument("a place for the copy: -o COPY", command: "redact")
    }
    guard copy != "-" else {
      throw UsageError.conflict("'redact' makes a store, which can't go to standard output; name a file.")
    }
    let session = try invocation.store()
    try StoreFileGuard.check(copy, keeping: session.path)
    let identity = try session.identity()
    var options = RedactionOptions()
    if let marks = try invocation.saltedMarks() { options.marks = marks }
    options.keepsLengths = invocation.arguments.has(.keepLengths)
    for (word, kept) in RedactionOptions.Kept.words where invocation.arguments.all(.keep).contains(word) {
      options.kept.insert(kept)
    }
    let redaction = try StoreRedaction(session.open(), to: copy, options)
    let result = try redaction.run(finish: session.finish) { invocation.progress.step($0) }
    result.problems.forEach(invocation.note)
    return .done(
      RedactionDocument(result, path: copy, options).document(identity), receipt: "The copy is '\(copy)'.")
  }
}
