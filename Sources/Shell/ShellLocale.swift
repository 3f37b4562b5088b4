import Commands
import SystemCalls

/// The locale as far as it decides which bytes a terminal takes for which characters.
struct ShellLocale {
  /// Whether what is typed and shown is UTF-8.
  let hasUnicode: Bool

  /// Sets the process's LC_CTYPE, from which readline learns how wide characters are.
  init() {
    var isSet = CharacterSet.choose("")
    // Bare containers have no locale, or not the one that the environment names; glibc and macOS bring UTF-8 along.
    if Terminal.localeHasUnicode, !isSet || !CharacterSet.isUTF8 {
      isSet = CharacterSet.choose("C.UTF-8") || CharacterSet.choose("UTF-8")
    }
    hasUnicode = isSet && CharacterSet.isUTF8
  }
}
