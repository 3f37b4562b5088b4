import Diagnostics
import Foundation
import TestSupport
import Testing

struct ThrowAway {
  @Test(.enabled(if: RealStores.arePresent)) func real() throws {
    for name in RealStores.all {
      let (folder, path) = try RealStores.copy(name)
      defer { withExtendedLifetime(folder) {} }
      guard let d = try? RuleExample.examine(path, limit: 3) else {
        print("REAL \(name) not examined"); continue
      }
      for f in d.findings {
        print("REAL \(name) \(f.rule.id) \(f.count) \(f.message) \(f.evidence.prefix(2))")
      }
      print("REAL \(name) skipped \(d.skipped.map { $0.rule }.count)")
    }
  }
}
