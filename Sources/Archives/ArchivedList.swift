/// A list that stands in a field of an archived object. Its elements are looked up when asked for, so that a
/// list in itself does no harm.
package struct ArchivedList: Sendable, RandomAccessCollection {
  let storage: KeyedArchiveStorage
  let references: BinaryObject.References

  package var startIndex: Int { 0 }
  package var endIndex: Int { references.count }

  package subscript(position: Int) -> ArchivedValue {
    ArchivedValue(storage: storage, number: storage.file.number(position, of: references))
  }
}
