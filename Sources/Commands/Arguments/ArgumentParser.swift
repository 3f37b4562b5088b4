/// Splits words into arguments and options. Does nothing else: no files, no printing.
package enum ArgumentParser {
  /// `--name value`, `--name=value`, `-n value`, `-nvalue`; `--` ends the options; `-` alone is an argument, and so
  /// is a negative number, as an error code is.
  package static func parse(
    _ words: some Sequence<String>, options: [OptionDefinition], command: String
  ) throws(UsageError) -> ParsedArguments {
    var result = ParsedArguments()
    var rest = Array(words)[...]
    var takesOptions = true
    while let word = rest.popFirst() {
      guard takesOptions, word.hasPrefix("-"), word.count > 1, Int(word) == nil else {
        result.positionals.append(word)
        continue
      }
      if word == "--" {
        takesOptions = false
        continue
      }
      let (definition, attached) = try find(word, options, command)
      if definition.value == nil {
        if attached != nil { throw .unexpectedValue(option: definition.name) }
        result.options[definition.name] = [""]
        continue
      }
      guard let value = attached ?? rest.popFirst() else { throw .missingValue(option: definition) }
      if !definition.choices.isEmpty, !definition.choices.contains(value) {
        throw .badValue(value, option: definition)
      }
      result.options[definition.name, default: []].append(value)
    }
    return result
  }

  private static func find(
    _ word: String, _ options: [OptionDefinition], _ command: String
  ) throws(UsageError) -> (OptionDefinition, String?) {
    if word.hasPrefix("--") {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let definition = options.first(where: { $0.name == name }) else {
        throw .unknownOption("--" + name, command: command, known: options.map { "--" + $0.name })
      }
      return (definition, parts.count > 1 ? String(parts[1]) : nil)
    }
    let letters = word.dropFirst()
    guard let letter = letters.first, let definition = options.first(where: { $0.short == letter }) else {
      throw .unknownOption(word, command: command, known: options.map { "--" + $0.name })
    }
    let attached = letters.dropFirst()
    return (definition, attached.isEmpty ? nil : String(attached))
  }
}
