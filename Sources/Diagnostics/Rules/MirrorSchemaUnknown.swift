import Lens
import Values

extension Rule {
  static let mirrorSchemaUnknown = Rule(about) { examination, findings in
    guard let mirror = examination.mirror else { return }
    var differences = mirror.differences
    if mirror.layout == .unknown, differences.isEmpty {
      differences = ["Its tables have the columns of no layout."]
    }
    for difference in differences {
      findings.add(
        subject: difference,
        [.init("layout", .text(mirror.layout.name)), .init("difference", .text(difference))])
    }
  }
}

private let about = RuleHeader(
  "mirror-schema-unknown", .warning,
  title: "Mirror tables of no known layout",
  looksFor: "A table or column of the mirror that its layout has and the store lacks, or the reverse.",
  why: """
    The framework recognizes the mirror by its tables, and may make tables anew that it doesn't recognize. \
    What this tool says of such a mirror may be incomplete, and it refuses to change it.
    """,
  nextLaunch: """
    The framework of the system that wrote the tables opens them as always. Tables that somebody altered are \
    repaired, or dropped and made again, which loses what they held.
    """,
  remedy: """
    Where a newer system wrote the store, a newer version of this tool is needed. Where somebody altered the \
    mirror's tables, take the store from a backup.
    """,
  needs: [.mirror],
  falsePositives: """
    Not all columns of the newest layout are known from real stores, so that one more or less may be normal there. \
    Layouts before iOS 16 aren't known in full and aren't compared.
    """,
  evidence: "App authors show two of the tables; the others are inferred from the attributes they report.",
  message: "The mirror's tables differ from every layout known here in {count} {place|places}: {difference}")
