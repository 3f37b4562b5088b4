import Lens

extension Completer {
  struct Suggestions {
    /// The beginning of the word, which stays.
    var kept = ""
    /// What may stand behind it.
    var candidates: [Candidate] = []
  }

  func suggestions(_ words: [String]) -> Suggestions {
    let word = words[words.count - 1]
    switch situation(words) {
    case .nothing: return Suggestions()
    case .commandName: return Suggestions(candidates: whole(names + HelpTopic.all.map(\.name), word))
    case .beginning: return Suggestions(candidates: beginnings(word))
    case .option(let options): return Suggestions(candidates: whole(options.map { "--" + $0.name }, word))
    case .value(let kind, let choices, let typed, let kept):
      let begun = String(word.dropFirst(kept.count))
      if !choices.isEmpty { return Suggestions(kept: kept, candidates: whole(choices, begun)) }
      var found = values(kind, begun, typed)
      found.kept = kept + found.kept
      // A required or repeatable argument is waited for; behind an optional one that has no words options may come.
      if found.candidates.isEmpty, word.isEmpty, let typed, typed.awaited == nil,
        typed.argument?.isOptional ?? false
      {
        found.candidates = typed.optionsLeft.map { Candidate("--" + $0.name) }
      }
      return found
    }
  }

  private func whole(_ words: [String], _ begun: String) -> [Candidate] {
    SQLCompleter.matching(begun, words).map { Candidate($0) }
  }

  /// What is typed to its end already isn't offered again: only people know how it goes on.
  private func begun(_ words: [String], _ begun: String) -> [Candidate] {
    SQLCompleter.matching(begun, words).filter { $0 != begun }.map { Candidate($0, isWhole: false) }
  }

  private func beginnings(_ word: String) -> [Candidate] {
    switch place {
    case .program:
      let options = word.hasPrefix("-") ? whole(["--help", "--version"], word) : []
      return options + whole(CommandTable.all.map(\.name) + ["help"], word) + files(word).candidates
    case .shell:
      let sql =
        word.first?.isLowercase ?? false
        ? SQLWords.openings.map { $0.lowercased() } : Array(SQLWords.openings)
      return whole(names, word) + dotted(word)
        + (word.isEmpty ? [] : whole(sql.sorted(), word) + objects(word))
    }
  }

  /// `.tables` and the like, for those who have them in their fingers.
  private func dotted(_ word: String) -> [Candidate] {
    word.hasPrefix(".") ? whole(names.map { "." + $0 }, word) : []
  }

  // MARK: - By kind

  private func values(_ kind: ValueKind, _ word: String, _ typed: TypedCommand?) -> Suggestions {
    switch kind {
    case .store, .file: files(word)
    case .folder: files(word, onlyFolders: true)
    case .entity: Suggestions(candidates: whole(context.entities.map(\.name), word))
    case .object: Suggestions(candidates: objects(word, typed))
    case .attributeValue:
      Suggestions(candidates: begun(entity(typed)?.attributes.map { $0 + "=" } ?? [], word))
    case .condition: sql(word, entity: entity(typed))
    case .predicate: predicate(word, typed)
    case .author: Suggestions(candidates: whole(context.authors, word))
    case .process: Suggestions(candidates: whole(context.processes, word))
    case .bundle: Suggestions(candidates: whole(context.bundles, word))
    case .property: Suggestions(candidates: whole(properties(typed), word))
    case .properties: list(word, typed)
    case .state, .choice, .date, .number, .word: Suggestions()
    case .rule: Suggestions(candidates: whole(context.rules.map(\.name), word))
    case .threshold: thresholds(word)
    case .subject: subjects(word, typed?.positionals ?? [])
    case .query: queries(word)
    case .parameter: parameters(word, typed)
    case .table: Suggestions(candidates: whole(context.frameworkTables, word))
    case .command: Suggestions(candidates: whole(names + HelpTopic.all.map(\.name), word))
    }
  }

  /// The name or word at the end; within a text nothing is known.
  private func predicate(_ text: String, _ typed: TypedCommand?) -> Suggestions {
    guard text.count(where: { $0 == "'" }) % 2 == 0, text.count(where: { $0 == "\"" }) % 2 == 0 else {
      return Suggestions()
    }
    let begun = String(text.reversed().prefix { $0.isLetter || $0.isNumber || "_.".contains($0) }.reversed())
    let words = begun.isEmpty ? [] : ObjectPredicate.words
    return Suggestions(
      kept: String(text.dropLast(begun.count)),
      candidates: SQLCompleter.matching(begun, properties(typed) + words).map {
        Candidate($0, isWhole: false)
      })
  }

  private func entity(_ typed: TypedCommand?) -> CompletionContext.Entity? {
    guard let typed else { return nil }
    let named =
      typed.positional(.entity, .object) ?? typed.options[.entity]?.last ?? typed.options[.object]?.last
    return named.flatMap { context.entity(named: String($0.prefix { $0 != "/" })) }
  }

  /// Of the entity that is named, or of all.
  private func properties(_ typed: TypedCommand?) -> [String] {
    SQLCompleter.unique(entity(typed)?.properties ?? context.entities.flatMap(\.properties))
  }

  /// Names with commas between them; for an order with a dash before them.
  private func list(_ word: String, _ typed: TypedCommand?) -> Suggestions {
    guard let entity = entity(typed) else { return Suggestions() }
    let names = word.split(separator: ",", omittingEmptySubsequences: false)
    var begun = String(names.last ?? "")
    if begun.hasPrefix("-") { begun.removeFirst() }
    let given = Set(names.dropLast().map { $0.hasPrefix("-") ? String($0.dropFirst()) : String($0) })
    return Suggestions(
      kept: String(word.dropLast(begun.count)),
      candidates: whole(entity.properties.filter { !given.contains($0) }, begun))
  }

  private static let mostTitles = 50

  private func objects(_ word: String, _ typed: TypedCommand? = nil) -> [Candidate] {
    let names = context.entities.map(\.name)
    var candidates = begun(names.map { $0 + "/p" }, word)
    let index = typed.map { $0.positionals.count + 1 } ?? 0
    if let typed, typed.awaited == nil, typed.command.arguments.indices.contains(index),
      typed.command.arguments[index].kind == .attributeValue
    {
      // The entity alone, with an attribute's value as the next word.
      candidates += whole(names, word)
    }
    // Behind a bare Tab only as many as can be read.
    if typed != nil, !word.isEmpty || context.titles.count <= Self.mostTitles {
      candidates += whole(context.titles, word)
    }
    return candidates
  }

  private func thresholds(_ word: String) -> Suggestions {
    let names = context.rules.flatMap { rule in rule.parts.map { "\(rule.name).\($0)=" } }
    return Suggestions(candidates: begun(names, word))
  }

  /// Terms have blanks: the words typed before are the beginning of one.
  private func subjects(_ word: String, _ before: [String]) -> Suggestions {
    let beginning = before.map { $0 + " " }.joined()
    let subjects = context.subjects + (before.isEmpty ? context.rules.map(\.name) : [])
    let rests = SQLCompleter.matching(beginning + word, subjects).map { $0.dropFirst(beginning.count) }
    // A word at a time, so that no quotes are needed.
    let next = rests.map { rest -> String in
      let inWord = word.filter { $0 == " " }.count
      return rest.split(separator: " ").prefix(inWord + 1).joined(separator: " ")
    }
    return Suggestions(candidates: SQLCompleter.unique(next).map { Candidate($0) })
  }

  private func queries(_ word: String) -> Suggestions {
    if word.contains(where: \.isWhitespace) { return sql(word, entity: nil) }
    let openings = word.isEmpty ? [] : begun(SQLWords.openings.sorted(), word)
    return Suggestions(candidates: whole(context.queries.map(\.name), word) + openings)
  }

  private func parameters(_ word: String, _ typed: TypedCommand?) -> Suggestions {
    guard let typed, let name = typed.positional(.query),
      let query = context.queries.first(where: { $0.name == name })
    else { return Suggestions() }
    let given = typed.options[.param] ?? []
    let missing = query.parts.map { $0 + "=" }.filter { name in !given.contains { $0.hasPrefix(name) } }
    return Suggestions(candidates: begun(missing, word))
  }

  private func sql(_ word: String, entity: CompletionContext.Entity?) -> Suggestions {
    let result = SQLCompleter(context: context, entity: entity).complete(word)
    return Suggestions(
      kept: String(word.dropLast(result.replaced.count)),
      candidates: result.words.map { Candidate($0, isWhole: false) })
  }

  private func files(_ word: String, onlyFolders: Bool = false) -> Suggestions {
    let folder = word.lastIndex(of: "/").map { String(word[...$0]) } ?? ""
    let begun = String(word.dropFirst(folder.count))
    let files = context.files(folder).filter { file in
      // Hidden ones are shown to those who ask for them.
      (file.isFolder || !onlyFolders) && (!file.name.hasPrefix(".") || begun.hasPrefix("."))
        && file.name.lowercased().hasPrefix(begun.lowercased())
    }
    return Suggestions(
      candidates: files.map { file in
        // An archive is one word; who asks what follows it means what is in it.
        let goesInside = file.isContainer && !onlyFolders && (file.isFolder || file.name == begun)
        let end = goesInside ? "!/" : file.isFolder ? "/" : ""
        return Candidate(folder + file.name + end, isWhole: end.isEmpty)
      })
  }
}
