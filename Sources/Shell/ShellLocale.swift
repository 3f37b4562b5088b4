import Commands
import Values

#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// The locale as far as it tells which bytes a terminal takes for which characters.
struct ShellLocale {
  /// Whether what is typed and shown is UTF-8.
  let hasUnicode: Bool

  /// Sets the process's LC_CTYPE, from which readline learns how wide characters are.
  init() {
    var isSet = setlocale(LC_CTYPE, "") != nil
    // Bare containers have no locale, or not the one that the environment names; glibc and macOS bring UTF-8 along.
    if Terminal.localeHasUnicode, !isSet || !Self.codesetIsUTF8 {
      isSet = setlocale(LC_CTYPE, "C.UTF-8") != nil || setlocale(LC_CTYPE, "UTF-8") != nil
    }
    hasUnicode = isSet && Self.codesetIsUTF8
  }

  private static var codesetIsUTF8: Bool {
    nl_langinfo(nl_item(CODESET)).map { String(cString: $0).uppercased() == "UTF-8" } ?? false
  }
}
