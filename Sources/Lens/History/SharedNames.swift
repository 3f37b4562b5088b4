import Archives
package import Base
package import StoreModel

/// Names in history that may be handed to others. Whoever acts on a report needs the authors, which an app's code
/// chooses (`widget`), so they stay, as do the names of contexts and the frameworks' own authors. Names of programs
/// identify the app: a process, a bundle, and an author that contains one of these or may name an account or a device.
///
/// A report, a redacted copy and what is read from the copy all ask here, so that their recipient finds the same names.
package struct SharedNames: Sendable {
  private let names: Set<String>

  package init(_ store: CoreDataStore) throws {
    guard let transactions = try TransactionReader(store) else {
      names = []
      return
    }
    let programs = Set(try transactions.texts(of: "bundle") + transactions.texts(of: "process"))
      .map { Array($0.lowercased().utf8) }.filter { !$0.isEmpty }
    let chosen = Set(try transactions.texts(of: "author") + transactions.texts(of: "context"))
      .filter(Self.isChosenByCode)
    // No app has that many: names made to be compared without end aren't shared.
    guard programs.count * chosen.count <= Self.mostCompared else {
      names = []
      return
    }
    names = chosen.filter { name in
      let bytes = Array(name.lowercased().utf8)
      return !programs.contains { !bytes.ranges(of: $0).isEmpty }
    }
  }

  /// The name if it may be shared, or else a placeholder. That a name is the mirror's own is state: this part of it
  /// stays.
  package func shown(_ name: String, _ marks: Marks) -> String {
    if name.isEmpty || names.contains(name) || Self.isFramework(name) || Marks.isMark(name, kind: Self.kind) {
      return name
    }
    let prefix = name.hasPrefix(TransactionOrigin.prefix) ? TransactionOrigin.prefix : ""
    return prefix + marks.mark(String(name.dropFirst(prefix.count)), kind: Self.kind)
  }

  private static let kind = "program"

  /// Authors and contexts of the frameworks' own transactions: the mirror's, and those of migrations, which name the
  /// digest of the model they came from.
  private static func isFramework(_ name: String) -> Bool {
    if TransactionOrigin.authors.contains(name) { return true }
    guard name.hasPrefix(migration), name.hasSuffix(" }") else { return false }
    return Base64.decode(String(name.dropFirst(migration.count).dropLast(2)))?.count == 64
  }

  private static let migrator = "com.apple.coredata.schemamigrator"
  private static let migration = "\(migrator): lightweight migration from model with digest { "

  private static let mostCompared = 100_000

  /// Code can also make names from what it finds at run time: an account, a file, a bundle, which has dots, a device,
  /// which often bears a person's name, or a number of one of these. And nothing but the framework has its names.
  private static func isChosenByCode(_ name: String) -> Bool {
    name.utf8.count <= 100 && !name.contains { "@/\\.\n".contains($0) }
      && !name.hasPrefix(TransactionOrigin.prefix) && !name.hasPrefix(migrator)
      && !isNumbered(name) && !hasDevice(name)
  }

  /// However it is grouped, a number of six digits may be a phone's, and sixteen hexadecimal ones a record's or a UUID. A
  /// shorter one behind a colon is what the word before it is counted by: `user:4711`.
  private static func isNumbered(_ name: String) -> Bool {
    let joined = name.filter { $0.isLetter || $0.isNumber }
    return joined.contains(/\d{6}|[0-9A-Fa-f]{16}/) || name.contains(/[:=#]\s*\d/)
  }

  private static func hasDevice(_ name: String) -> Bool {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    let joined = words.joined()
    return devices.contains(where: joined.contains) || words.contains { deviceWords.contains(String($0)) }
  }

  private static let devices = [
    "iphone", "ipad", "ipod", "macbook", "imac", "macmini", "macpro", "macstudio", "watch", "appletv",
    "homepod",
  ]
  /// Other words may have these as a part.
  private static let deviceWords: Set = ["mbp", "vision"]
}
