import Containers
import Evidence
import Lens
import Values

/// The headers of the rules in code. Each lies in the text next to its rule's file, with an empty line between two.
enum RuleTexts {
  /// Empty if there is none.
  static func header(of id: String) -> KeyedLines {
    let text = String(decoding: paragraphs[id] ?? [], as: UTF8.self)
    return KeyedLines(Template(text).filled(values))
  }

  /// What a header has from elsewhere.
  private static let values = [
    ("burst pause", "\(HistoryBurst.pause)"), ("clock tolerance", "\(Rule.clockTolerance)"),
    ("newest known framework", "\(MirrorLayout.newestKnownFramework)"), ("wal advice", StoreFiles.walAdvice),
    ("zone split fix", ZoneSplits.fix),
  ]

  /// By id. A command that needs one rule shouldn't read the lines of all.
  private static let paragraphs: [String: ArraySlice<UInt8>] = {
    let newline = UInt8(ascii: "\n")
    var paragraphs: [String: ArraySlice<UInt8>] = [:]
    for file in files {
      var rest = file[...]
      while let first = rest.firstIndex(where: { $0 != newline }) {
        rest = rest[first...]
        let end = rest.firstRange(of: [newline, newline])?.lowerBound ?? rest.endIndex
        let id = rest[..<(rest.firstIndex(of: newline) ?? end)].dropFirst("Rule: ".utf8.count)
        paragraphs[String(decoding: id, as: UTF8.self)] = rest[..<end]
        rest = rest[end...]
      }
    }
    return paragraphs
  }()

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
