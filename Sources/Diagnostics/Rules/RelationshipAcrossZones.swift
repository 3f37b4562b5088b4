import Lens
import Values

extension Rule {
  static let relationshipAcrossZones = Rule(about) { examination, findings in
    guard let mirror = examination.mirror else { return }
    let splits = try ZoneSplits(mirror)
    for split in try splits.all(limit: 100_000) {
      findings.add(
        object: splits.uri(split.object), subject: "\(split.relationship) \(split.related.primaryKey)",
        [
          .init("uri", .optional(splits.uri(split.object))), .init("relationship", .text(split.relationship)),
          .init("zone", .optional(split.zone.name)), .init("reference", .optional(splits.uri(split.related))),
          .init("relatedZone", .optional(split.relatedZone.name)), .init("what", .text(splits.words(split))),
        ])
    }
  }
}

private let about = RuleHeader(
  """
  Rule: relationship-across-zones
  Severity: error
  Title: Related objects in different record zones
  Shows: A to-one relationship, or a link of a many-to-many relationship, between two objects that both have
    records, in different zones of one database.
  Why: A record can't refer to a record in another zone. Exports fail with NSCocoaErrorDomain 134060, and later
    setups with 134040 or 134060, until all objects of one graph are in one zone.
  Next launch: The next export of these objects fails, and everything else that is pending stays here with them.
  Remedy: \(ZoneSplits.fix)
  Needs: ANSCKRECORDMETADATA, ANSCKRECORDZONEMETADATA
  False positives: None known. Two rows of one zone (reported by 'zone-unexpected'), zones of different databases,
    objects without a record, and records that are flagged for deletion are left out.
  Evidence: App authors report it: https://developer.apple.com/forums/thread/759885
  Message: {count} {relationship crosses|relationships cross} record zones: {what}.
  """)
