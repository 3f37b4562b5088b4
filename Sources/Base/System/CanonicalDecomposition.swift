#if canImport(Darwin)
  import CoreFoundation
#else
  import CUtf8proc
  import Glibc
#endif

extension String {
  /// Letters and their marks apart (https://unicode.org/reports/tr15/, form NFD), which the standard library compares by
  /// and doesn't give out.
  package var canonicallyDecomposed: String {
    let text = Array(utf8)
    #if canImport(Darwin)
      let encoding = CFStringBuiltInEncodings.UTF8.rawValue
      guard let string = CFStringCreateWithBytes(nil, text, text.count, encoding, false),
        let copy = CFStringCreateMutableCopy(nil, 0, string)
      else { return self }
      CFStringNormalize(copy, .D)
      let whole = CFRangeMake(0, CFStringGetLength(copy))
      var count = 0
      CFStringGetBytes(copy, whole, encoding, 0, false, nil, 0, &count)
      var decomposed = [UInt8](repeating: 0, count: count)
      CFStringGetBytes(copy, whole, encoding, 0, false, &decomposed, count, &count)
      return String(decoding: decomposed, as: UTF8.self)
    #else
      var decomposed: UnsafeMutablePointer<UInt8>?
      let options = UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_STABLE.rawValue
      let count = utf8proc_map(text, text.count, &decomposed, utf8proc_option_t(options))
      defer { free(decomposed) }
      guard count >= 0, let decomposed else { return self }
      return String(decoding: UnsafeBufferPointer(start: decomposed, count: count), as: UTF8.self)
    #endif
  }
}
