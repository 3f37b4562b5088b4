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
  """
  Rule: mirror-schema-unknown
  Severity: warning
  Title: Unknown mirror table layout
  Shows: A table or column of the mirror that its layout has but the store lacks, or the reverse.
  Why: The framework recognizes the mirror by its tables, and may recreate tables that it doesn't recognize.
    storescope's results about such a mirror may be incomplete, and it refuses to change it.
  Next launch: The framework of the system that wrote the tables opens them as always. Tables that were altered are
    repaired, or dropped and recreated, which loses their contents.
  Remedy: If a newer system wrote the store, use a newer version of storescope. If the mirror's tables were altered,
    restore the store from a backup.
  Needs: mirror
  False positives: Not all columns of the newest layout are known from real stores, so an additional or missing
    column may be normal there. Layouts before iOS 16 aren't fully known and aren't compared.
  Evidence: App authors show two of the tables; the others are inferred from the attributes they report.
  Message: The mirror's tables differ from every known layout in {count} {place|places}: {difference}
  """)
