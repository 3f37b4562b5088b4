import SystemCalls
import Values

extension Invocation {
  /// The marks that `--salt` asks for; nil without it. An unset variable of a script must not make marks that anybody
  /// can make too.
  func saltedMarks() throws(UsageError) -> Marks? {
    guard let salt = arguments["salt"] else { return nil }
    guard !salt.isEmpty else {
      throw .conflict(
        "'--salt' is empty, so anybody could make the same marks; give a text that others don't know.")
    }
    return Marks(saltText: salt)
  }
}
