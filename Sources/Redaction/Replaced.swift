/// What kind of value was replaced, as it is told to people.
package enum Replaced: String, Sendable, CaseIterable {
  case text, number, date, boolean, uuid, data, archive, file, program, identifier, metadata
}
