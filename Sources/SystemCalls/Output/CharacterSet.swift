#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which bytes the C library, and with it a terminal, takes for which characters.
package enum CharacterSet {
  /// Takes the one of that locale, "" for the environment's; false where there is no such locale.
  package static func choose(_ locale: String) -> Bool { setlocale(LC_CTYPE, locale) != nil }

  package static var isUTF8: Bool {
    nl_langinfo(nl_item(CODESET)).map { String(cString: $0).uppercased() == "UTF-8" } ?? false
  }
}
