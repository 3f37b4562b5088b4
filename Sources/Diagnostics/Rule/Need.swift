package import CloudKitMirror
import StoreModel

/// What a store must have for a rule to say anything about it.
package enum Need: Sendable, Equatable {
  case history
  case mirror
  /// Rules that ask what the mirror ought to hold.
  case knownLayout
  /// The app's model, from the store's cache or from `--model`.
  case model
  case table(FrameworkTable)

  /// A header's word: `history`, `mirror`, `layout`, `model`, or the name of one of the framework's tables.
  init?(word: String) {
    switch word {
    case "history": self = .history
    case "mirror": self = .mirror
    case "layout": self = .knownLayout
    case "model": self = .model
    default:
      guard let table = FrameworkTable(rawValue: word) else { return nil }
      self = .table(table)
    }
  }

  package var word: String {
    switch self {
    case .history: "history"
    case .mirror: "mirror"
    case .knownLayout: "layout"
    case .model: "model"
    case .table(let table): table.rawValue
    }
  }

  /// Why a rule with this need can't be checked; nil where it can.
  func lack(in examination: Examination) -> String? {
    let tables = examination.tables
    switch self {
    case .history: return tables.hasHistory ? nil : Self.halfOfHistory(tables) ?? Self.noHistory
    case .mirror: return examination.mirror == nil ? Self.notMirrored : nil
    case .knownLayout:
      guard let mirror = examination.mirror else { return Self.notMirrored }
      return mirror.layout == .unknown ? "The mirror's tables have no layout known here." : nil
    case .model:
      return examination.store.model == nil
        ? "The store's model can't be read; --model PATH gives the app's." : nil
    case .table(let table):
      if tables.has(table) { return nil }
      if table.isHistory { return Self.halfOfHistory(tables) ?? Self.noHistory }
      return examination.mirror == nil ? Self.notMirrored : "The store has no table \(table.rawValue)."
    }
  }

  /// What is wrong where only one of history's two tables is there, as no framework leaves it.
  static func halfOfHistory(_ tables: MirrorTables) -> String? {
    let halves: [FrameworkTable] = [.changes, .transactions]
    guard let missing = halves.first(where: { !tables.has($0) }), let absence = tables.absence(of: missing),
      let left = halves.first(where: tables.has)
    else { return nil }
    return
      "\(absence), while \(left.rawValue) is there: half of persistent history is gone. Take the store from a backup."
  }

  private static let noHistory = "The store keeps no persistent history."
  private static let notMirrored = "The store is not mirrored to CloudKit."
}
