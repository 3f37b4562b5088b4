/// What takes results in place of standard output.
package enum ResultOutput {
  /// A file or a pipe, by its descriptor.
  case file(Int32)
  /// A part of the program.
  case memory((UnsafeRawBufferPointer) -> Void)
}
