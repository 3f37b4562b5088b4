import CloudKitMirror
import Values

/// The bundles under which the mirror itself wrote to the store. More than one means that an extension syncs besides
/// the app, which Apple advises against: https://developer.apple.com/documentation/technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer
struct MirroringPrograms {
  private static let limit = 100

  private var bundles: Set<String> = []
  private var last: String?

  mutating func add(_ transaction: ObservedTransaction) {
    guard transaction.origin != .app, let bundle = transaction.bundle, bundle != last else { return }
    last = bundle
    if bundles.count < Self.limit { bundles.insert(bundle) }
  }

  /// Evidence, where there is more than one.
  var members: [DataValue.Member] {
    bundles.count > 1 ? [.init("syncingBundles", .array(bundles.sorted().map(DataValue.text)))] : []
  }
}
