import Base
import Lens
import StoreModel

/// A migration that is needed, and what the store's rows make of it.
struct Migration {
  private typealias Step = LaunchForecast.Step
  private let changes: [ModelChange]
  private let old: ManagedObjectModel
  private let app: AppModel
  private let store: CoreDataStore
  /// Nil if there is no mirror, and none begins.
  private let renamings: MirroredRenamings?

  /// - Parameter isMirrored: false if the app begins to mirror the store, nil if it doesn't.
  init(
    _ changes: [ModelChange], _ old: ManagedObjectModel, _ app: AppModel, _ store: CoreDataStore,
    isMirrored: Bool?
  ) {
    renamings = isMirrored.map { MirroredRenamings(changes, isMirrored: $0) }
    self.changes = changes
    self.old = old
    self.app = app
    self.store = store
  }

  private var name: String { app.current.name }

  func step() throws -> LaunchForecast.Step {
    let losses = try MigrationLosses(changes, store)
    if app.current.model.isForeign(to: old) {
      let removed = removedEntities
      return Step(
        .migrate, losses.rows > 0 ? .wipes : .unknown,
        """
        \(ModelDifference.noCommonEntity("'\(name)'")), or all entities were renamed without a renaming ID. A launch that \
        migrates to it removes \(removed == 1 ? "the store's only entity" : "all \(removed) entities") with \
        \(Sentence.count(losses.rows, "row")).\(renamed)
        """, isSure: false, fix: Self.ownModel, reasons: losses.reasons)
    }
    let obstacles =
      try MigrationObstacles(changes, app.current, store).reasons(renamings: renamings?.reasons ?? [])
    if isProbablyForeign {
      return foreign(obstacles, losses)
    }
    if let first = obstacles.first { return failed(first, among: obstacles, losses) }
    let from = app.storesVersion.map { "From '\($0.name)' to '\(name)'" } ?? "To '\(name)'"
    let undocumented = changes.filter { $0.migration == .undocumented }
    let doubts = [
      ModelChange.listed(undocumented).map { "Apple doesn't document whether it can be inferred: \($0)." },
      renamings?.doubt,
    ].compactMap(\.self)
    let doubt = doubts.isEmpty ? nil : doubts.joined(separator: " ")
    if let listed = losses.listed {
      return Step(
        .migrate, .wipes, "\(from): \(listed).\(doubt.map { " \($0)" } ?? "")\(renamed)\(remarks)",
        isSure: false, fix: backup, reasons: losses.reasons)
    }
    if let doubt {
      return Step(
        .migrate, .unknown, "\(from): \(doubt)\(remarks)", isSure: false,
        fix: "Try the migration with a copy of the store.",
        reasons: undocumented.map { .init("\($0.sentence).") })
    }
    return Step(
      .migrate, .succeeds, "\(from): \(Sentence.count(changes.count, "change")) can be inferred.\(remarks)",
      isSure: false)
  }

  /// Most entities are gone, and most are new: a name in common proves nothing.
  private var isProbablyForeign: Bool {
    let added = changes.count { $0.kind == .entityAdded }
    return lacksMost && added * 2 > app.current.model.entities.count
  }

  /// To change that model, or to keep the store's entities in it, would be no help.
  private func foreign(_ obstacles: [LaunchForecast.Reason], _ losses: MigrationLosses) -> LaunchForecast.Step
  {
    let probably =
      "'\(name)' is probably another app's model: it lacks \(removedEntities) of the store's \(Sentence.count(old.entities.count, "entity", "entities")), and most of its own aren't in the store."
    let fix = Self.ownModel
    if let first = obstacles.first {
      return Step(
        .migrate, .fails, code: first.code, "\(probably) \(first.because)", isSure: false, fix: fix,
        reasons: obstacles.map { .init($0.because, code: $0.code) })
    }
    let lost = losses.listed.map { " A migration to it: \($0)." } ?? ""
    return Step(
      .migrate, losses.listed == nil ? .unknown : .wipes, "\(probably)\(lost)\(renamed)", isSure: false,
      fix: fix, reasons: losses.reasons)
  }

  private static let ownModel = "Pass your app's own model with --model."

  private var backup: String {
    (lacksMost ? "If it isn't your app's model, pass that with --model. Otherwise, back" : "Back")
      + " the store up first. To keep the values, keep the removed entities and properties in the model, or copy their values with a mapping model."
  }

  private var removedEntities: Int { changes.count { $0.kind == .entityRemoved } }

  private var lacksMost: Bool { removedEntities * 2 > old.entities.count }

  private func failed(
    _ first: LaunchForecast.Reason, among all: [LaunchForecast.Reason], _ losses: MigrationLosses
  ) -> LaunchForecast.Step {
    let others = all.count - 1
    let rest =
      others > 0
      ? " There \(Sentence.form(others, "is", "are")) \(Sentence.count(others, "other obstacle"))." : ""
    // The fix alone only makes the way free for the loss.
    let then = losses.listed.map { " The migration then continues, and \($0): back the store up." } ?? ""
    return Step(
      .migrate, .fails, code: first.code, "\(first.because)\(rest)\(remarks)",
      isSure: app.mappings.isEmpty && renamings?.reasons.first != first,
      fix: first.fix.map { first.code == MigrationObstacles.notInferred ? $0 : $0 + then }, reasons: all)
  }

  private var renamed: String { UnrecordedRenaming.first(in: changes).map { " \($0.advice)" } ?? "" }

  /// What else an app may do than to let Core Data infer the mapping.
  private var remarks: String {
    var remarks: [String] = []
    if let version = app.storesVersion, VersionName(version.name).isNewer(than: VersionName(name)) {
      remarks.append(
        "That is a downgrade: by their names, '\(version.name)', which wrote the store, is newer than '\(name)', the current version."
      )
    }
    if lacksMost {
      remarks.append(
        "'\(name)' lacks \(removedEntities) of the store's \(Sentence.count(old.entities.count, "entity", "entities")): it may be another app's model."
      )
    }
    if !app.mappings.isEmpty {
      remarks.append(
        "The app brings mapping models, which may migrate differently: \(app.mappings.joined(separator: ", "))."
      )
    }
    if app.versions > 1, app.storesVersion == nil {
      remarks.append(
        "None of the \(app.versions) versions that the app brings wrote the store, so a staged migration would fail with 134504."
      )
    }
    return remarks.map { " " + $0 }.joined()
  }
}

/// What removed entities and properties take with them.
struct MigrationLosses {
  /// Clauses, such as `Note.text is removed with 1 value`.
  private var clauses: [String] = []
  /// Of removed entities.
  private(set) var rows = 0

  private static let mostListed = 3

  init(_ changes: [ModelChange], _ store: CoreDataStore) throws {
    // Both sides of a many-to-many relationship have the same links.
    var tables: Set<String> = []
    for change in changes where change.removesValues {
      switch change.kind {
      case .entityRemoved:
        let count = try RowConditions(change.entity, in: store)?.rows() ?? 0
        rows += count
        add(change.entity, "is removed", count, "row")
      case .attributeRemoved, .relationshipRemoved, .becameTransient:
        guard let entity = change.older.entity, let property = change.older.properties.first else { continue }
        let how = change.kind == .becameTransient ? "becomes transient" : "is removed"
        let rows = change.older.entities.compactMap { RowConditions($0, in: store) }
        let values = try rows.compactMap { try $0.values(of: property) }
        if !values.isEmpty {
          add("\(entity).\(property)", how, values.reduce(0, +), "value")
        } else if let links = try rows.first?.links(of: property), tables.insert(links.table).inserted {
          add("\(entity).\(property)", how, links.count, "link")
        }
      default: break
      }
    }
  }

  private mutating func add(_ what: String, _ how: String, _ count: Int, _ noun: String) {
    if count > 0 { clauses.append("\(what) \(how) with \(Sentence.count(count, noun))") }
  }

  /// The first of them; nil if nothing is lost.
  var listed: String? {
    guard !clauses.isEmpty else { return nil }
    let more = clauses.count > Self.mostListed ? ", and \(clauses.count - Self.mostListed) more" : ""
    return clauses.prefix(Self.mostListed).joined(separator: ", ") + more
  }

  var reasons: [LaunchForecast.Reason] { clauses.map { .init("\($0).") } }
}

/// The name of a model's version, as Xcode numbers them: `App`, `App 2`, `App 3`; apps also write `App_v3`.
struct VersionName {
  private let stem: Substring
  private let number: Int

  init(_ name: String) {
    let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
    number = Int(name.suffix(digits)) ?? 1
    var stem = name.dropLast(digits)
    if digits > 0 {
      let rest = stem
      if stem.last == "v" || stem.last == "V" { stem = stem.dropLast() }
      // The name may end in that letter.
      if stem.last.map({ " _-.".contains($0) }) != true { stem = rest }
      while stem.last.map({ " _-.".contains($0) }) == true { stem = stem.dropLast() }
    }
    self.stem = stem
  }

  /// False if the names don't show it.
  func isNewer(than other: VersionName) -> Bool { stem == other.stem && number > other.number }
}
