import Lens
import Values

/// Short numbers for authors, for states of very many objects. More than 65,535 authors share the last number.
struct AuthorNumbers {
  private var numbers: [String?: UInt16] = [:]
  private var names: [String?] = []
  private var last: (author: String?, number: UInt16)?

  var count: Int { names.count }

  mutating func number(of author: String?) -> UInt16 {
    if let last, last.author == author { return last.number }
    var number = UInt16(clamping: names.count)
    if let known = numbers[author] {
      number = known
    } else if names.count <= Int(UInt16.max) {
      numbers[author] = number
      names.append(author)
    }
    last = (author, number)
    return number
  }

  func name(_ number: UInt16) -> String? { Int(number) < names.count ? names[Int(number)] : nil }
}

/// The bundles under which the mirror itself wrote to the store. More than one means that an extension also syncs, not only
/// the app, which Apple advises against: https://developer.apple.com/documentation/technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer
struct MirroringPrograms {
  private static let limit = 100

  private var bundles: Set<String> = []
  private var last: String?

  mutating func add(_ transaction: HistoryTransaction) {
    guard transaction.origin != .app, let bundle = transaction.bundle, bundle != last else { return }
    last = bundle
    if bundles.count < Self.limit { bundles.insert(bundle) }
  }

  /// Evidence, where there is more than one.
  var members: [DataValue.Member] {
    bundles.count > 1 ? [.init("syncingBundles", .array(bundles.sorted().map(DataValue.text)))] : []
  }
}
