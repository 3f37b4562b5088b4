/// What takes results in place of standard output.
package enum ResultOutput {
  /// A file or a pipe: its descriptor, asked for when the first result comes, which may open it.
  case file(() throws -> Int32)
  /// A part of the program.
  case memory((UnsafeRawBufferPointer) -> Void)
}
