#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Lets a C library take names for UTF-8, whatever the user's locale is. The C locale, which a program starts with, knows
/// ASCII only. https://man7.org/linux/man-pages/man3/uselocale.3.html
package final class TextLocale {
  private let locale: locale_t?

  package init() {
    // macOS calls it by the second name.
    let mask = Int32(LC_CTYPE_MASK)
    locale = newlocale(mask, "C.UTF-8", nil) ?? newlocale(mask, "UTF-8", nil)
  }

  deinit { if let locale { freelocale(locale) } }

  /// Calls `body` on this thread with that locale.
  package func use<R>(_ body: () throws -> R) rethrows -> R {
    guard let locale, let former = uselocale(locale) else { return try body() }
    defer { uselocale(former) }
    return try body()
  }
}

/// Which bytes the C library, and with it a terminal, takes for which characters.
package enum CharacterSet {
  /// Takes the one of that locale, "" for the environment's; false where there is no such locale.
  package static func choose(_ locale: String) -> Bool { setlocale(LC_CTYPE, locale) != nil }

  package static var isUTF8: Bool {
    nl_langinfo(nl_item(CODESET)).map { String(cString: $0).uppercased() == "UTF-8" } ?? false
  }
}
