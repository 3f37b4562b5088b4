/// The name of a model's version, as Xcode numbers them: `App`, `App 2`, `App 3`; apps also write `App_v3`.
struct VersionName {
  private let stem: Substring
  private let number: Int

  init(_ name: String) {
    let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
    number = Int(name.suffix(digits)) ?? 1
    var stem = name.dropLast(digits)
    if digits > 0 {
      let rest = stem
      if stem.last == "v" || stem.last == "V" { stem = stem.dropLast() }
      // The name may end in that letter.
      if stem.last.map({ " _-.".contains($0) }) != true { stem = rest }
      while stem.last.map({ " _-.".contains($0) }) == true { stem = stem.dropLast() }
    }
    self.stem = stem
  }

  /// False if the names don't show it.
  func isNewer(than other: VersionName) -> Bool { stem == other.stem && number > other.number }
}
