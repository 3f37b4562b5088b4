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
  """
  Rule: framework-newer-than-known
  Severity: info
  Title: Written by a newer framework than storescope supports
  Shows: A version of Core Data, in the mirror's entries or in the store's metadata, above the newest version that
    is known to write a known layout.
  Why: Tables may have columns or meanings that this version of storescope doesn't know, so its results about the
    mirror may be incomplete.
  Next launch: Nothing: the app's own framework can read the tables it wrote.
  Remedy: Only read the store; don't change it with 'resync', 'reset' or 'repair' until a newer storescope supports
    this version.
  Needs: mirror
  False positives: Most new versions change nothing in the tables; 'layout' in the evidence shows the tables'
    layout.
  Evidence: App authors report the versions they saw; versions up to 1526 were measured on real stores.
  Message: Written by framework {version}; the newest supported version is {known}. The mirror looks like layout
    {layout}.
  Param known: version of Core Data; that of iOS 27 and macOS 27 is the newest with a known mirror layout, default
    \(MirrorLayout.newestKnownFramework)
  """)
