/// The column names of one table. A name that is taken gets the smallest number behind it that makes it free:
/// `ZTITLE`, `ZTITLE1`, `ZTITLE2` (measured on real stores).
struct NamePool {
  private var taken: Set<String>
  /// Name → the number to try next, so that a thousand equal names don't take a million tries.
  private var next: [String: Int] = [:]

  init(taken: Set<String> = []) { self.taken = taken }

  mutating func unique(_ name: String) -> String {
    if taken.insert(name).inserted { return name }
    var number = next[name] ?? 1
    while !taken.insert("\(name)\(number)").inserted { number += 1 }
    next[name] = number + 1
    return "\(name)\(number)"
  }
}
