/// What is shown of binary data: size, kind, hash and, where it could be decoded, its content. The bytes
/// themselves stay in the store.
package struct BlobSummary: Sendable, Hashable {
  package var bytes: Int
  /// A `BlobKind`'s name, for example `png`, `keyedArchive` or `unknown`.
  package var kind: String
  /// SHA-256 in lower-case hexadecimal digits.
  package var sha256: String
  package var value: DataValue?

  package init(bytes: Int, kind: String, sha256: String, value: DataValue? = nil) {
    self.bytes = bytes
    self.kind = kind
    self.sha256 = sha256
    self.value = value
  }
}
