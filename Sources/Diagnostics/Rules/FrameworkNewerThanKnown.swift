import Lens
import StoreModel
import Values

extension Rule {
  static let frameworkNewerThanKnown = Rule(about) { examination, findings in
    guard let mirror = examination.mirror else { return }
    let known = examination.setting("known", of: about)
    let own = try mirror.entries[MetadataKey.frameworkVersion]?.integer
    let store = examination.store.metadata.frameworkVersion
    guard let newest = [own, store].compactMap({ $0 }).max(), Double(newest) > known else { return }
    findings.add(
      subject: "framework",
      [
        .init("version", .integer(newest)), .init("mirror", .optional(own)), .init("store", .optional(store)),
        .init("known", .integer(Int64(clamping: known))), .init("layout", .text(mirror.layout.name)),
      ])
  }
}

private let about = RuleHeader(
  "framework-newer-than-known", .info,
  title: "Written by a framework newer than any known here",
  looksFor: """
    A version of Core Data, in the mirror's entries or in the store's metadata, above the newest that is known to \
    write one of the layouts known here.
    """,
  why: """
    Tables may have got columns or meanings that this version of storescope doesn't know, so that what it says of \
    the mirror may be incomplete.
    """,
  nextLaunch: "Nothing: the app's own framework knows what it wrote.",
  remedy: """
    Read, and don't change such a store with 'resync', 'reset' or 'repair' before a newer storescope says that it \
    knows the version.
    """,
  needs: [.mirror],
  falsePositives: """
    Most new versions change nothing in the tables; 'layout' in the evidence says which layout the tables have.
    """,
  evidence: "App authors report the versions they met; up to 1526 they were measured on real stores.",
  message: """
    Written by framework {version}; the newest known here is {known}. The mirror looks like layout {layout}.
    """,
  thresholds: [
    Threshold(
      "known", Double(MirrorLayout.newestKnownFramework),
      """
      version of Core Data; the newest of which a mirror was seen in a layout known here, on a Mac with macOS 26
      """)
  ])
