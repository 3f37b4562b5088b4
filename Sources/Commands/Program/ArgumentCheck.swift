import Diagnostics
import Evidence
import Lens
import QueryCatalog
import Rendering
import SQLite
import StoreModel
import SystemCalls
import Values

/// Refuses words that a command doesn't take, and suggests what they were probably meant for.
struct ArgumentCheck {
  private let command: Command
  private let environment: CommandEnvironment
  private let arguments: ParsedArguments
  private let paths: [String]
  private let makeSession: (String) throws -> Session

  init(
    _ command: Command, _ environment: CommandEnvironment, _ arguments: ParsedArguments, _ paths: [String],
    makeSession: @escaping (String) throws -> Session
  ) {
    (self.command, self.environment, self.arguments, self.paths) = (command, environment, arguments, paths)
    self.makeSession = makeSession
  }

  private var path: String? { paths.first }

  func run() throws(UsageError) {
    try AddressCheck.run(command, arguments)
    if environment.storePath == nil, let joined = SplitPath.joined(paths + arguments.positionals) {
      throw SplitPath.error([command.name], joined + given(arguments.options))
    }
    try checkOrder()
    if command.name == Command.query.name, environment.storePath == nil, let path, isMissing(path),
      let error = ForgottenStore.error(path, arguments.positionals + given(arguments.options))
    {
      throw error
    }
    let places = command.name == Command.find.name ? arguments.positionals : paths
    if environment.storePath == nil, places.count == 1, Int(places[0]) != nil, isMissing(places[0]) {
      throw .numberOutsideShell(places[0])
    }
    for (index, word) in arguments.positionals.enumerated()
    where environment.storePath == nil && path != nil && !takesFile(at: index) && isStore(word) {
      let both = [path ?? "", word].map(ShellQuotes.word).joined(separator: " ")
      throw .conflict(
        command.name == "diff"
          ? "'diff' compares two stores, and '\(word)' is a third one."
          : "'\(command.name)' takes one store, and '\(word)' is another one. 'storescope diff \(both)' compares the two, and 'storescope doctor \(both)' checks both."
      )
    }
    if command.name == Command.diff.name, let other = arguments.positionals.first,
      StoreLookup.isModel(other) || path.map(StoreLookup.isModel) == true
    {
      let store = environment.storePath == nil ? path ?? "" : "STORE"
      let model = StoreLookup.isModel(other) ? other : store
      throw .conflict(
        "'diff' compares stores, and '\(model)' is a model. 'storescope entities \(ShellQuotes.readable(store)) --diff \(ShellQuotes.readable(other))' compares the models."
      )
    }
    let modelOption = [OptionName.diff, .model].first { name in
      command.allOptions.contains { $0.option == name }
    }
    for (index, word) in arguments.positionals.enumerated()
    where !takesFile(at: index) && argument(at: index)?.kind != .word && StoreLookup.isModel(word) {
      guard let modelOption else { continue }
      let store = environment.storePath == nil ? path.map { " \(ShellQuotes.readable($0))" } ?? "" : " STORE"
      throw .conflict(
        "Unexpected argument '\(word)'. Did you mean 'storescope \(command.name)\(store) --\(modelOption.rawValue) \(ShellQuotes.readable(word))'?"
      )
    }
    for word in paths.dropFirst() where isMissing(word) {
      guard let meant = optionMeant(by: word) else { continue }
      throw .surplusArgument(word, command: command.name, meant: meant)
    }
    if command.takesSeveralStores, let word = arguments.positionals.first, optionMeant(by: word) == nil {
      throw .conflict(
        "Unexpected argument '\(word)': in the shell '\(command.name)' checks the open store only. 'open FILE' opens another one."
      )
    }
    let required = command.arguments.filter { !$0.isOptional }
    if arguments.positionals.count < required.count {
      if environment.storePath == nil, let path, !path.contains(where: { "./".contains($0) }),
        isMissing(path)
      {
        let words = ([path] + arguments.positionals).map(ShellQuotes.readable).joined(separator: " ")
        throw UsageError.conflict(
          "There is no file '\(path)'; the store comes first, as in 'storescope \(command.name) App.store \(words)'."
        )
      }
      let name = required[arguments.positionals.count].name
      throw .missingArgument(
        name == "OBJECT" ? "OBJECT, such as \(object) or a title" : name, command: command.name,
        known: name == "ENTITY" ? entities : required[arguments.positionals.count].choices)
    }
    if arguments.positionals.count > command.arguments.count, !(command.arguments.last?.isRepeatable ?? false)
    {
      let word = arguments.positionals[command.arguments.count]
      if let meant = rowsMeant ?? sqlMeant ?? exportMeant {
        throw .conflict("Unexpected argument '\(word)'. Did you mean '\(meant)'?")
      }
      throw .surplusArgument(word, command: command.name, meant: optionMeant(by: word))
    }
    for (argument, word) in zip(command.arguments, arguments.positionals)
    where !argument.choices.isEmpty && !argument.choices.contains(word) {
      throw .badArgument(
        word, command: command.name, choices: argument.choices, hint: argument.hint(word))
    }
  }

  /// Refuses what was typed in front of the store, with the command as it was meant.
  private func checkOrder() throws(UsageError) {
    guard environment.storePath == nil, let path, isMissing(path), let second = arguments.positionals.first,
      let kind = FileReader.kind(of: second),
      // Many a word is a folder's name, too; a mistyped path is more likely then.
      kind != .folder || !path.contains(where: { "./".contains($0) })
    else { return }
    var swapped = arguments
    swapped.positionals[0] = path
    var words = swapped.positionals.map(ShellQuotes.readable)
    // An object may stand alone where an option takes it, too, but not an entity.
    if command.arguments.first.map({ $0.isOptional && $0.kind == .object }) ?? true {
      let check = ArgumentCheck(command, environment, swapped, [second], makeSession: makeSession)
      guard let option = check.optionMeant(by: path) else {
        throw .surplusArgument(path, command: command.name)
      }
      words[0] = option
    }
    let line = ["storescope", command.name, ShellQuotes.readable(second)] + words + given(arguments.options)
    throw .conflict(
      "There is no file '\(path)'; the store comes first:", list: [line.joined(separator: " ")])
  }

  /// The options as they are typed.
  private func given(_ options: [OptionName: [String]]) -> [String] {
    command.allOptions.flatMap { option in
      (options[option.option] ?? []).flatMap {
        ["--\(option.name)"] + (option.value == nil ? [] : [ShellQuotes.readable($0)])
      }
    }
  }

  private func takesFile(at index: Int) -> Bool {
    [.store, .file, .folder].contains(argument(at: index)?.kind)
  }

  private func argument(at index: Int) -> Command.Argument? {
    let all = command.arguments
    return all.indices.contains(index) ? all[index] : all.last.flatMap { $0.isRepeatable ? $0 : nil }
  }

  private func isStore(_ word: String) -> Bool {
    // A title may be called like a file here.
    word.contains { "./".contains($0) } && FileReader.kind(of: word) == .file
      && (try? StoreFiles(path: word)) != nil
  }

  /// Whether a word that should name a store names nothing.
  private func isMissing(_ word: String) -> Bool { FileReader.kind(of: StoreSource.file(of: word)) == nil }

  /// The option that would take the word, as `history Person` and `doctor history-bloat` mean one.
  private func optionMeant(by word: String) -> String? {
    if command.options.contains(where: { $0.kind == .rule }), RuleRegistry.rule(word) != nil {
      return "--\(OptionName.rule.rawValue) \(word)"
    }
    if command.options.contains(where: { $0.option == .entity && $0.kind == .entity }),
      let name = entities.first(where: { $0.lowercased() == word.lowercased() })
    {
      return "--\(OptionName.entity.rawValue) \(name)"
    }
    if command.options.contains(where: { $0.kind == .parameter }), let name = arguments.positionals.first,
      let query = try? SavedQueries.all().first(where: { $0.name == name }),
      let parameter = query.parameters.first
    {
      let name = word.prefix { $0 != "=" }
      if name.count < word.count, query.parameters.contains(where: { $0.name == name }) {
        return
          "--\(OptionName.param.rawValue) \(name)=\(ShellQuotes.word(String(word.dropFirst(name.count + 1))))"
      }
      return "--\(OptionName.param.rawValue) \(parameter.name)=\(ShellQuotes.word(word))"
    }
    if let option = command.options.first(where: { $0.choices.contains(word) }) {
      return "--\(option.name) \(word)"
    }
    // `resync STORE push`
    if let option = command.allOptions.first(where: { $0.name == word }) {
      return "--\(option.name)\(option.value.map { " \($0)" } ?? "")"
    }
    // `report STORE page.html`
    if arguments.options[.output] == nil,
      command.options.contains(where: { $0.option == .output && $0.kind == .file })
    {
      return "-o \(ShellQuotes.readable(word))"
    }
    guard let option = command.options.first(where: { $0.kind == .object }) else { return nil }
    return "--\(option.name) \(ShellQuotes.readable(word))"
  }

  /// The command that does what words behind an entity ask for.
  private var rowsMeant: String? {
    guard command.name == Command.rows.name, let store, let name = arguments.positionals.first,
      let entity = try? store.entity(named: name)
    else { return nil }
    let words = Array(arguments.positionals.dropFirst())
    if words.count == 1, let key = ObjectReference.key(words[0]) {
      return "storescope \(Command.show.name) STORE \(ShellQuotes.word(entity.name))/p\(key)"
    }
    // A relationship may be called like an entity.
    if words.count == 1, let other = entities.first(where: { $0.lowercased() == words[0].lowercased() }),
      !(entity.attributeNames + entity.relationships.map(\.name)).contains(where: {
        $0.lowercased() == words[0].lowercased()
      })
    {
      return "storescope \(Command.rows.name) STORE \(ShellQuotes.word(other))"
    }
    return nil
  }

  /// The export to the folder that stands there without its option, or of the entity.
  private var exportMeant: String? {
    guard command.name == Command.export.name, arguments.positionals.count == 1,
      arguments.options[.to] == nil
    else { return nil }
    let word = arguments.positionals[0]
    let entity = entities.first { $0.lowercased() == word.lowercased() }
    var options = arguments.options
    if let entity {
      options[.entity, default: []].append(entity)
      options[.to] = ["DIRECTORY"]
    } else {
      options[.to] = [word]
    }
    return (["storescope", command.name, "STORE"] + given(options)).joined(separator: " ")
  }

  /// SQL whose quotes the shell took, or that has none.
  private var sqlMeant: String? {
    guard command.name == Command.query.name, let path,
      ["select", "with", "values"].contains(arguments.positionals.first?.lowercased() ?? "")
    else { return nil }
    let sql = arguments.positionals.joined(separator: " ")
    return "storescope query \(ShellQuotes.word(path)) \(ShellQuotes.readable(sql))"
  }

  /// The names there are to choose from; none where the store can't be read, which is then said another time.
  private var entities: [String] { store?.schema.entities.map(\.name) ?? [] }

  /// The address of one of the store's objects. They can be read only while their session is open.
  private var object: String {
    guard let path, let session = try? makeSession(path) else { return "Entity/p1" }
    defer { try? session.finish() }
    let example = try? ObjectReference.example(in: session.open().store)
    return example?.address ?? "Entity/p1"
  }

  private var store: CoreDataStore? { path.flatMap { try? makeSession($0).open().store } }
}
