import StoreModel
import Values

extension CoreDataStore {
  /// A command on this store, to be pasted, its words quoted where they need to be: nothing replaces STORE in results.
  func command(_ name: String, _ words: String...) -> String {
    (["storescope", name, ShellQuotes.word(path)] + words.map(ShellQuotes.readable)).joined(separator: " ")
  }
}
