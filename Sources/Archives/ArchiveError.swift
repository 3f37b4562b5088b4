/// Why bytes could not be decoded, as a short clause that a sentence can end with: "the binary property list's
/// offset table lies outside its 120 bytes".
package struct ArchiveError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
