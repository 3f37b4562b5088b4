import Lens
import Values

extension Rule {
  static let mirrorTablesPartial = Rule(about) { examination, findings in
    for table in examination.mirror?.missingTables ?? [] {
      findings.add(
        subject: table.rawValue,
        [
          .init("table", .text(table.rawValue)),
          .init("absence", .optional(examination.tables.absence(of: table))),
        ])
    }
  }
}

private let about = RuleHeader(
  """
  Rule: mirror-tables-partial
  Severity: error
  Title: Tables of the mirror are missing
  Shows: A mirror of a layout that is known in full (iOS 16 to 18, or 26 and later) that lacks some of its tables.
  Why: The framework makes all of its tables at once. If some are missing, somebody dropped them, and the rest
    refers to rows that don't exist anymore: records without zones, exports without a token.
  Next launch: Setup creates the missing tables again, empty. Their contents are lost: without records every object
    is uploaded under a new name, so that it appears twice on all devices.
  Remedy: Don't launch the app. Restore a backup of the store; never drop single tables of the mirror.
  Needs: layout
  False positives: Older layouts aren't checked: their tables aren't known in full.
  Evidence: Measured on a real mirrored store, which has all of them; what setup makes is reported by app authors.
  Message: {count} of the mirror's tables {is|are} missing, such as {table}.
  """)
