/// Something that could not be done, told as one sentence: what was tried on what, what was wrong, what to do
/// next. Ends the command with exit code 2.
package struct StoreScopeError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
