import Values

/// A short name for a finding that stays the same: for baselines, and for the fingerprints that SARIF asks for.
enum Mark {
  /// 16 hexadecimal digits, made of the rule and of what the finding is about.
  static func of(rule: String, subject: String) -> String {
    let text = rule + "\u{0}" + subject
    return String(Array(text.utf8).withUnsafeBytes(SHA256.hexadecimal).prefix(16))
  }
}
