/// The codes of NSCocoaErrorDomain that concern a store and its mirror, in order.
enum CocoaErrors {
  static let domain = "NSCocoaErrorDomain"

  /// Those that mirrors meet most, first; at last those whose meaning isn't known, between the others or seen in logs.
  static let lists: [@Sendable () -> [Explanation]] = [
    { mirroring }, { connections }, { stores }, { migration }, { files }, { validation }, { unknown },
  ]

  static let all = lists.flatMap { $0() }.sorted { ($0.code ?? 0) < ($1.code ?? 0) }

  /// None of them has a public name, and Apple shows only 134406, 134410 and 134417, as examples in its technotes.
  private static let mirroring = errors(PackageResources.cocoa_mirroring_txt)
  private static let stores = errors(PackageResources.cocoa_stores_txt)
  private static let migration = errors(PackageResources.cocoa_migration_txt)
  private static let files = errors(PackageResources.foundation_files_txt, in: foundationErrors)
  private static let connections = errors(
    PackageResources.foundation_connections_txt, in: foundationErrors)
  /// Imports don't validate as saves do, so the mirror rarely reports these.
  private static let validation = errors(PackageResources.cocoa_validation_txt)
  private static let unknown = errors(PackageResources.cocoa_unknown_txt)
  private static let foundationErrors = "FoundationErrors.h (Foundation)"

  /// Those that CoreDataErrors.h declares, unless there is another header.
  private static func errors(_ text: [UInt8], in header: String? = nil) -> [Explanation] {
    Explanation.errors(of: domain, text) {
      [header ?? ExplanationSource.page("coredata/" + $0.lowercased())]
    }
  }

  /// What the codes of a range are about, for those without an entry; as in FoundationErrors.h and CoreDataErrors.h.
  static let ranges: [(codes: ClosedRange<Int>, subject: String)] = [
    (256...1023, "files: reading, writing, permissions and disk space"),
    (1024...2047, "validation: values that a formatter or a model doesn't allow"),
    (2048...2559, "formatting and parsing values"),
    (3584...3839, "loading code"),
    (3840...4095, "property lists and JSON"),
    (4096...4224, "connections to other processes (XPC), such as the system's CloudKit service"),
    (4352...4607, "documents in iCloud Drive, not CloudKit"),
    (4608...4863, "Handoff between devices"),
    (4864...4991, "archives"),
    (4992...5119, "resources on demand"),
    (5120...5375, "sharing through CloudKit"),
    (132_000...133_999, "Core Data's objects and contexts"),
    (134_400...134_599, "Core Data's mirroring to CloudKit, or history"),
    (134_000...134_999, "Core Data's stores, saves and migration"),
  ]
}
