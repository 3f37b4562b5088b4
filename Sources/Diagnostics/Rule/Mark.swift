import Values

/// A short name for a finding that stays the same: for baselines.
enum Mark {
  /// 16 hexadecimal digits, made of the rule and of what the finding is about. The identifier of the store is left
  /// out of URIs: each run of a test makes a store with a new one.
  static func of(rule: String, subject: String) -> String {
    let scheme = "x-coredata://"
    var name = ""
    var rest = subject[...]
    while let start = rest.firstRange(of: scheme) {
      name += rest[..<start.upperBound]
      rest = rest[start.upperBound...].drop { $0 != "/" }
    }
    return String(Array((rule + "\u{0}" + name + rest).utf8).withUnsafeBytes(SHA256.hexadecimal).prefix(16))
  }
}
