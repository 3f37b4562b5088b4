import Base
import Evidence
import Lens

/// The headers of the rules in code. Each lies in the text next to its rule's file, with an empty line between two.
enum RuleTexts {
  /// Empty if there is none.
  static func header(of id: String) -> KeyedLines {
    let lines = paragraphs[Array("Rule: \(id)".utf8)[...]] ?? []
    return KeyedLines(Template(Array(lines.joined(separator: [UInt8(ascii: "\n")]))).filled(values))
  }

  /// What a header has from elsewhere.
  private static let values = [
    "burst pause": "\(HistoryBurst.pause)", "clock tolerance": "\(Rule.clockTolerance)",
    "newest known framework": "\(MirrorLayout.newestKnownFramework)", "wal advice": StoreFiles.walAdvice,
    "zone split fix": ZoneSplits.fix,
  ]

  /// By the line that begins it. A command that needs one rule shouldn't read the lines of all.
  private static let paragraphs = Dictionary(
    firstOf: files.flatMap(KeyedLines.paragraphs).compactMap { lines in lines.first.map { ($0, lines) } })

  private static let files = [
    PackageResources.DeletionRules_txt, PackageResources.EventRules_txt,
    PackageResources.ExternalDataRules_txt, PackageResources.FileRules_txt,
    PackageResources.HistoryChangeWithoutRow_txt, PackageResources.HistoryGapRules_txt,
    PackageResources.HistoryProgramRules_txt, PackageResources.HistorySaveRules_txt,
    PackageResources.HistorySizeRules_txt, PackageResources.HistoryUpdateRules_txt,
    PackageResources.KeyRules_txt, PackageResources.LinkRules_txt, PackageResources.MirrorTableRules_txt,
    PackageResources.ModelRules_txt, PackageResources.ObjectOrphanedByOwner_txt,
    PackageResources.ObjectURIRules_txt, PackageResources.RecordRules_txt,
    PackageResources.RelationshipRules_txt, PackageResources.StoreRecreated_txt,
    PackageResources.TokenRules_txt, PackageResources.ValueInvalid_txt, PackageResources.WALRules_txt,
  ]
}
