package import Base
package import Rendering

/// One command: what people type, what help says, and the function that computes the result.
package struct Command: Sendable {
  package enum StoreUse: Sendable {
    /// `storescope NAME STORE …`
    case required
    /// `storescope NAME …`
    case none
  }

  package struct Argument: Sendable {
    package var name: String
    package var kind: ValueKind
    /// The only words that are taken, where there is such a list.
    package var choices: [String]
    package var isOptional: Bool
    package var isRepeatable: Bool
    package var help: String
    /// For a word that isn't among the choices, a sentence about what was meant, if the command knows.
    package var hint: @Sendable (String) -> String?

    package init(
      _ name: String, kind: ValueKind, choices: [String] = [], isOptional: Bool = false,
      isRepeatable: Bool = false, help: String, hint: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
      self.name = name
      self.kind = kind
      self.choices = choices
      self.isOptional = isOptional
      self.isRepeatable = isRepeatable
      self.help = help
      self.hint = hint
    }
  }

  package var name: String
  /// One line, lower-case, without a full stop.
  package var summary: String
  package var store: StoreUse
  /// Whether it takes several stores in one run, outside the shell.
  package var takesSeveralStores: Bool
  package var arguments: [Argument] { makeArguments() }
  /// Its own options; `allOptions` adds the common ones.
  package var options: [OptionDefinition] { makeOptions() }
  /// Whether it can read the store as it was some commits ago.
  package var readsPast: Bool
  /// Whether its result is rows, of which columns can be chosen.
  package var printsRows: Bool
  /// What help says below the options: sentences, and examples that begin with `storescope`.
  package var discussion: String { makeDiscussion() }
  // Made when they are asked for: every start makes all commands, and runs one.
  private let makeArguments: @Sendable () -> [Argument]
  private let makeOptions: @Sendable () -> [OptionDefinition]
  private let makeDiscussion: @Sendable () -> String
  /// The forms of its JSON; none if it prints none of its own.
  package var documents: [DocumentForm] { makeDocuments() }
  private let makeDocuments: @Sendable () -> [DocumentForm]
  package var formats: [Format]
  /// What help says of `--format`.
  package var formatHelp: String
  /// The format that is one of the files it writes: on a terminal it says so in words.
  package var filesFormat: Format?
  /// Whether it changes something with these arguments, so that it has to say what became of that.
  package var changes: @Sendable (ParsedArguments) -> Bool
  package var run: @Sendable (Invocation) throws -> Outcome

  package init(
    _ name: String, summary: String, store: StoreUse = .required, takesSeveralStores: Bool = false,
    arguments: @escaping @autoclosure @Sendable () -> [Argument] = [], readsPast: Bool = true,
    printsRows: Bool = true,
    options: @escaping @autoclosure @Sendable () -> [OptionDefinition] = [],
    discussion: @escaping @autoclosure @Sendable () -> String = "",
    formats: [Format] = Format.common, formatHelp: String = Self.formatHelp,
    filesFormat: Format? = nil,
    changes: @escaping @Sendable (ParsedArguments) -> Bool = { _ in false },
    documents: @escaping @autoclosure @Sendable () -> [DocumentForm] = [],
    run: @escaping @Sendable (Invocation) throws -> Outcome
  ) {
    self.name = name
    self.summary = summary
    self.store = store
    self.takesSeveralStores = takesSeveralStores
    makeArguments = arguments
    self.readsPast = readsPast
    self.printsRows = printsRows
    makeOptions = options
    makeDiscussion = discussion
    self.formats = formats
    self.formatHelp = formatHelp
    self.filesFormat = filesFormat
    self.changes = changes
    makeDocuments = documents
    self.run = run
  }

  package static let formatHelp = "how to print (default: table)"

  /// Of what is one text, for a program to read.
  static let textFormats: [Format] = [.table, .json]

  /// Whether options about rows, colors and the like mean nothing to it.
  var printsText: Bool { formats == Self.textFormats }

  package var allOptions: [OptionDefinition] { options + commonOptions }

  var commonOptions: [OptionDefinition] {
    let own = options.map(\.option)
    // Those about the store that mean the same here as everywhere.
    let ofStore = CommonOptions.store.filter {
      (readsPast || $0.option != .asOfCommit) && !own.contains($0.option)
    }
    return (store == .required ? ofStore : []) + CommonOptions.output(of: self) + [CommonOptions.help]
  }

  /// Whether `--model` names the store's own model, as everywhere but where models are compared with it.
  var readsWithModel: Bool { commonOptions.contains { $0.option == .model } }

  /// What its help lists: its own, and common ones that mean something else here.
  var listedOptions: [OptionDefinition] {
    if printsText { return options + CommonOptions.output(of: self) }
    return options
      + (formats == Format.common ? [] : [CommonOptions.format(formats.map(\.rawValue), formatHelp)])
  }

  /// `storescope rows STORE ENTITY [OPTIONS]`, `storescope doctor STORE… [OPTIONS]`
  package var usage: String {
    let words = arguments.map { argument in
      let name = argument.isRepeatable ? argument.name + "…" : argument.name
      return argument.isOptional ? "[\(name)]" : name
    }
    let stores = store == .required ? [takesSeveralStores ? "STORE…" : "STORE"] : []
    return (["storescope", name] + stores + words + ["[OPTIONS]"])
      .joined(separator: " ")
  }
}

/// What a command leaves behind.
package enum Outcome {
  /// What is printed, and how the program ends.
  case document(Document, exitCode: Int32)
  /// What is printed although something failed, and what did. Nothing was changed.
  case partial(Document, StoreScopeError)
  /// A shell is opened.
  case shell(ShellRequest)
  /// Something was changed or made, and stays so whatever happens now; the reading is over. The receipt says what it was,
  /// for when the document can't be shown, or if there is none; `failure` what could not be done.
  case done(Document?, receipt: Receipt, failure: StoreScopeError? = nil)

  package init(_ document: Document, exitCode: Int32 = 0) {
    self = .document(document, exitCode: exitCode)
  }
}

/// What a command did, in a sentence and in lines below it.
package struct Receipt: ExpressibleByStringInterpolation {
  package let sentence: String
  package let lines: [String]

  package init(_ sentence: String, _ lines: [String]) {
    self.sentence = sentence
    self.lines = lines
  }

  package init(stringLiteral sentence: String) { self.init(sentence, []) }
}

extension Command {
  /// The words behind it, sorted; of an option that it doesn't have, with what helps.
  func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
    do { return try ArgumentParser.parse(words, options: allOptions, command: name) } catch {
      guard case .unknownOption(let word, let name, let known, _) = error else { throw error }
      throw .unknownOption(word, command: name, known: known, hint: hint(for: word))
    }
  }

  /// What helps with an option that it doesn't have; nil to leave it to the nearest of its own.
  private func hint(for word: String) -> String? {
    let name = String(word.drop { $0 == "-" })
    let rows = Words.options.filter { Words.split($0.words).contains(name) }.map { Words.split($0.option) }
    let own = allOptions
    func fits(_ row: [String]) -> Bool {
      own.contains { option in
        row[0] == "--" + option.name
          && (row.count == 1 || option.choices.isEmpty || option.choices.contains(row[1]))
      }
    }
    if let row = rows.first(where: fits) { return Suggestion.question(row.joined(separator: " ")) }
    guard Suggestion.likeliest(for: word, in: own.map { "--" + $0.name }) == nil else { return nil }
    for option in [name] + rows.map({ String($0[0].dropFirst(2)) }) {
      let owners = CommandTable.all.filter { $0.options.contains { $0.name == option } }.map {
        "'\($0.name)'"
      }
      guard (1...5).contains(owners.count) else { continue }
      return " \(Sentence.listed(owners, atMost: 5)) \(owners.count > 1 ? "have" : "has") '--\(option)'."
    }
    return nil
  }
}
