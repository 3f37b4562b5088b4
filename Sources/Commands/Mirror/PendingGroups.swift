import Base
import Lens
import Rendering
import StoreModel

/// What is pending, grouped by kind and reason, with some examples of each.
struct PendingGroups {
  private struct Key: Hashable {
    var kind: PendingItem.Kind
    var title: String
  }

  private struct Found {
    var count = 0
    /// The newest, newest first.
    var examples: [PendingItem] = []
    var oldest: CoreDataDate?
    var mayBeOlder = false
    /// Links by their relationship.
    var relationships: [String: Int] = [:]
  }

  private var order: [Key] = []
  private var found: [Key: Found] = [:]
  private(set) var oldest: CoreDataDate?
  private let examples: Int
  private static let (mostExamples, mostGroups, mostRelationships) = (1000, 30, 6)

  /// - Parameter examples: of each reason.
  init(examples: Int?) { self.examples = min(examples ?? 3, Self.mostExamples) }

  mutating func add(_ item: PendingItem) {
    var key = Key(kind: item.kind, title: Self.title(of: item))
    if found[key] == nil {
      // A hostile store could have as many reasons as rows.
      if order.count >= Self.mostGroups { key.title = "other reasons" }
      if found[key] == nil { order.append(key) }
    }
    var group = found[key] ?? Found()
    group.count += 1
    group.mayBeOlder = group.mayBeOlder || item.mayBeOlder
    if let since = item.since {
      group.oldest = min(group.oldest ?? since, since)
      oldest = min(oldest ?? since, since)
    }
    if let link = Self.relationship(of: item) {
      if group.relationships.count < 100 || group.relationships[link] != nil {
        group.relationships[link, default: 0] += 1
      }
    } else {
      let date = { (item: PendingItem) in item.since?.seconds ?? -.infinity }
      let place = group.examples.firstIndex { date($0) < date(item) } ?? group.examples.endIndex
      if place < examples {
        group.examples.insert(item, at: place)
        if group.examples.count > examples { group.examples.removeLast() }
      }
    }
    found[key] = group
  }

  /// The largest first.
  func groups(_ titles: ShownTitles) throws -> [Document.Group] {
    let sorted = order.enumerated().sorted {
      let (one, other) = (found[$0.element]?.count ?? 0, found[$1.element]?.count ?? 0)
      return (other, $0.offset) < (one, $1.offset)
    }
    return try sorted.compactMap { _, key in
      guard let group = found[key] else { return nil }
      var title = key.title
      if !group.relationships.isEmpty {
        let all = group.relationships.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let named = all.prefix(Self.mostRelationships).map { "\($0.key) \(Sentence.number($0.value))" }
        title += ": " + named.joined(separator: ", ") + (all.count > Self.mostRelationships ? ", …" : "")
      }
      let items = try group.examples.map { item in
        let author = item.authorText() ?? ""
        let note = item.mayBeOlder && item.since != nil ? "or earlier; \(author)" : author
        return Document.Group.Item(
          item.objectText, title: try titles.title(of: item), date: item.since, note: note)
      }
      return Document.Group(
        count: group.count, title: title, items: items, oldest: group.oldest, mayBeOlder: group.mayBeOlder)
    }
  }

  /// The reason in few words, for one of many.
  static func reason(of item: PendingItem) -> String {
    guard relationship(of: item) != nil else { return title(of: item) }
    return clause(String(item.reasonWithoutNames.dropFirst("The ".count)))
  }

  /// The reason without its subject, as a heading.
  private static func title(of item: PendingItem) -> String {
    switch item.kind {
    case .unanalyzed where item.maySkip: return "deleted here; the next export may skip the deletion"
    case .unanalyzed where item.isDeletion: return "deleted here, and not processed by the exporter yet"
    case .unanalyzed where item.isRepeated:
      return "processed again by the next export; probably on the server already"
    case .unanalyzed: return "saved, and not processed by the exporter yet"
    case .unregistered: return "without a CloudKit record and not in history"
    case .link, .linkDelete:
      let words = item.reasonWithoutNames.split(separator: " ")
      // `The link Tag.entries to Entry is pending upload.`
      guard relationship(of: item) != nil, words.count > 5 else { break }
      let many = words.dropFirst(5).joined(separator: " ").replacing("is pending", with: "pending")
      return "links " + clause(many)
    default: break
    }
    var text = item.reasonWithoutNames
    for beginning in ["The object was ", "The object ", "Its record is "] where text.hasPrefix(beginning) {
      text = String(text.dropFirst(beginning.count))
      break
    }
    return clause(text.replacing("since its record was", with: "since"))
  }

  private static func clause(_ text: String) -> String {
    text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  /// `Tag.entries`, of a link.
  private static func relationship(of item: PendingItem) -> String? {
    guard item.kind == .link || item.kind == .linkDelete, item.reasonWithoutNames.hasPrefix("The link ")
    else { return nil }
    return item.reasonWithoutNames.split(separator: " ").dropFirst(2).first.map(String.init)
  }
}

extension PendingItem {
  /// Whether its object is gone.
  var deletesObject: Bool { isDeletion || kind == .cloudDelete }

  /// Who saved it; nil if nobody is asked for. No transaction isn't a transaction without an author.
  /// - Parameter none: stands for a missing author.
  func authorText(none: String = "(no author)") -> String? {
    let first = author ?? (since != nil ? none : mayBeOlder ? "history purged" : nil)
    guard let first, let laterSave else { return first }
    return "\(first), then \(laterSave.author ?? none)"
  }

  var objectText: String {
    if let entity, let primaryKey { return "\(entity)/p\(primaryKey)" }
    return recordName ?? zone ?? ""
  }
}

extension [PendingItem.Kind: Int] {
  /// `25 pending: 13 uploads, 3 deletions`, or `4 of 25 pending (--entity Trip): 4 uploads`.
  /// - Parameter all: how many there are without the filters; nil if there are none.
  /// - Parameter repeated: how many of them an earlier export processed.
  func sentence(of all: Int?, repeated: Int, _ filters: [String]) -> String {
    let kinds = kindWords(repeated)
    guard let all else {
      return kinds.isEmpty ? "" : "\(Sentence.number(total)) pending: \(kinds.joined(separator: ", "))"
    }
    return
      "\(Sentence.number(total)) of \(Sentence.number(all)) pending (\(filters.joined(separator: " ")))"
      + (kinds.isEmpty ? "." : ": \(kinds.joined(separator: ", "))")
  }

  private func kindWords(_ repeated: Int) -> [String] {
    PendingItem.Kind.allCases.flatMap { kind -> [String] in
      let again = kind == .unanalyzed ? repeated : 0
      let count = self[kind, default: 0] - again
      return (count > 0 ? [Sentence.count(count, kind.words.one, kind.words.many)] : [])
        + (again > 0 ? ["\(Sentence.number(again)) processed again"] : [])
    }
  }
}
