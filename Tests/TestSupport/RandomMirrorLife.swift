import Base
package import Forge
package import StoreModel

/// A mirrored app's life at random, the same for the same seed: saves by several authors, exports and imports with all
/// that can come of them, links, shares, resets, damage.
package struct RandomMirrorLife {
  private let mirror: MirrorForge
  private var random: SeededGenerator
  /// Objects that are never deleted, so that every mirrored entity keeps a record.
  private var anchors: Set<ForgedObject> = []
  private var account = MirrorForge.someAccount

  /// Everything but `Draft` is mirrored.
  package static let model = FixtureModels.people(
    hasFriends: true, hasDrafts: true,
    configurations: ["Cloud": ["Person", "Employee", "Tag", "Note"], "Local": ["Draft"]])

  /// Lives `steps` steps in a new store.
  /// - Returns: the mirror, with the truth; the store is still open.
  package static func live(
    seed: UInt64, steps: Int, layout: MirrorSchema.Layout, path: String,
    scope: MirrorForge.Scope = .private
  ) throws -> MirrorForge {
    let forge = try StoreForge(path: path, model: model)
    let mirror = try MirrorForge(forge, layout: layout, scope: scope, configuration: "Cloud")
    var life = RandomMirrorLife(mirror: mirror, random: SeededGenerator(seed: seed))
    mirror.exportsLeaveTransactions = life.chance(3)
    if !life.chance(6) { try life.begin() }
    for _ in 0..<steps { try life.step() }
    // Where it ends with damage or a prune, no later step has mended it.
    if life.chance(6) { try life.damage() }
    if life.chance(3) { try life.pruneHistory() }
    if life.chance(2) { try life.loseNames() }
    return mirror
  }

  /// Most apps come further than their first save.
  private mutating func begin() throws {
    try mirror.setUp(account: account)
    for _ in 0..<4 { try save() }
    try mirror.export()
  }

  private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

  private mutating func pick<T>(_ choices: [T]) -> T? { choices.randomElement(using: &random) }

  private var objects: [ForgedObject] {
    mirror.forge.truth.objects.keys.sorted {
      ($0.entityNumber, $0.primaryKey) < ($1.entityNumber, $1.primaryKey)
    }
  }

  private mutating func step() throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<34: try save()
    case 34..<60: try export()
    case 60..<74: try imports()
    case 74..<80: try setUp()
    case 80..<84: try housekeeping()
    case 84..<87: try pastCoreData()
    case 87..<91: try shares()
    case 91..<94: mirror.switchMirroring(pick(MirrorForge.Switch.allCases + [.on, .on, .on]) ?? .on)
    case 94..<96: try wipe()
    case 96..<98: try damage()
    case 98: try pruneHistory()
    default: try mirror.forge.checkpoint()
    }
  }

  // MARK: The app

  private mutating func save() throws {
    let author = pick(["app", "widget", nil, "import", "NSCloudKit"]) ?? nil
    let count = Int.random(in: 1...8, using: &random)
    try mirror.save(author: author) { save in for _ in 0..<count { try change(save) } }
  }

  private mutating func change(_ save: Save) throws {
    let living = objects.filter { save.contains($0) }
    guard let object = pick(living), !chance(3) else {
      let entity = pick(["Person", "Employee", "Tag", "Note", "Draft"]) ?? "Person"
      let object = try save.insert(entity, values(entity))
      if entity == "Note", let owner = pick(living.filter(Self.isPerson)) {
        try save.link(object, "owner", owner)
      }
      if anchors.allSatisfy({ $0.entity != entity }) { anchors.insert(object) }
      return
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0...1: if !anchors.contains(object) { try save.delete(object) }
    case 2...3: try save.update(object, values(object.entity))
    default: try changeLinks(of: object, living, save)
    }
  }

  private mutating func changeLinks(of object: ForgedObject, _ living: [ForgedObject], _ save: Save) throws {
    guard Self.isPerson(object) else { return }
    let relationship = chance(2) ? "tags" : "friends"
    if let member = pick(save.members(of: object, relationship)), !chance(3) {
      return try save.unlink(object, relationship, member)
    }
    let candidates = living.filter { relationship == "tags" ? $0.entity == "Tag" : Self.isPerson($0) }
    if let member = pick(candidates), member != object { try save.link(object, relationship, member) }
  }

  private static func isPerson(_ object: ForgedObject) -> Bool {
    ["Person", "Employee"].contains(object.entity)
  }

  private mutating func values(_ entity: String) -> [String: ForgeValue] {
    let text = ForgeValue.text("text \(Int.random(in: 0..<1_000_000, using: &random))")
    return switch entity {
    case "Tag": ["label": text]
    case "Note", "Draft": ["text": text]
    default: ["name": text]
    }
  }

  /// Rows that come and go, and history doesn't know.
  private mutating func pastCoreData() throws {
    let object = pick(objects.filter { !anchors.contains($0) })
    let isDelete = chance(2)
    let entity = pick(["Person", "Tag", "Note", "Draft"]) ?? "Tag"
    let values = values(entity)
    try mirror.forge.save(recordsHistory: false) { save in
      if isDelete, let object {
        try save.delete(object)
      } else {
        _ = try save.insert(entity, values)
      }
    }
  }

  private mutating func pruneHistory() throws {
    guard let last = mirror.forge.truth.transactions.last?.number else { return }
    let first = chance(4) ? last : Int64.random(in: 1...last, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: try mirror.forge.dropHistory(first...first)
    case 1: try mirror.forge.dropHistory(first...last)
    default: try mirror.forge.dropHistory(1...first)
    }
  }

  // MARK: The framework

  private mutating func setUp() throws {
    guard mirror.isMirroring else { return }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: try mirror.setUp(failing: pick([.noAccount, .incompatibleModel, .networkFailure, .cancelled]))
    case 1: try mirror.run(.setup, failing: nil)
    case 2: try mirror.setUp(account: nil)
    case 3:
      account = "_account\(Int.random(in: 0..<3, using: &random))"
      try mirror.setUp(account: account)
    default: try mirror.setUp(account: account)
    }
  }

  private mutating func export() throws {
    guard mirror.isMirroring else { return }
    let stage = pick(MirrorForge.ExportStage.allCases) ?? .start
    let failures: [MirrorFailure] = [
      .quotaExceeded, .throttled, .serviceUnavailable, .networkUnavailable, .networkFailure,
      .invalidArguments, .cancelled, .deferred, .unhandledException,
    ]
    switch Int.random(in: 0..<12, using: &random) {
    case 0...3: try mirror.export()
    case 4: try mirror.export(.partialFailure)
    case 5...8:
      try mirror.export(.failure(pick(failures) ?? .throttled), reaching: chance(2) ? .processing : stage)
    case 9: try mirror.export(.failure(.deferred), reaching: .halfOfAnalysis)
    case 10: try mirror.export(.failure(.alreadyPending), reaching: .start)
    default: try mirror.export(.dies, reaching: chance(2) ? .answered : stage)
    }
  }

  private mutating func imports() throws {
    guard mirror.isMirroring else { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      let failure = pick([MirrorFailure.networkFailure, .throttled, .deferred, .userDeletedZone])
      return try mirror.run(.import, failing: failure)
    case 1: return try mirror.run(.import, failing: nil)
    default: break
    }
    let count = Int.random(in: 0...4, using: &random)
    let moreComing = chance(5)
    try mirror.importChanges(moreComing: moreComing) { changes in
      for _ in 0..<count { try importChange(changes) }
    }
  }

  private mutating func importChange(_ changes: MirrorImport) throws {
    let living = objects.filter { $0.entity != "Draft" }
    switch Int.random(in: 0..<8, using: &random) {
    case 0...2:
      let entity = pick(["Person", "Employee", "Tag", "Note"]) ?? "Tag"
      let object = try changes.insert(entity, values(entity))
      if chance(3), entity == "Note" {
        changes.linkToMissing(object, "owner", "Person", record: "missing-\(object.primaryKey)")
      }
      if chance(3), entity == "Person" {
        changes.linkToMissing(
          object, "tags", "Tag", record: "missing-\(object.primaryKey)", isManyToMany: true)
      }
    case 3...4:
      if let object = pick(living) { try? changes.update(object, values(object.entity)) }
    case 5: if let object = pick(living), !anchors.contains(object) { try changes.delete(object) }
    default:
      let people = living.filter(Self.isPerson)
      if let one = pick(people), let tag = pick(living.filter { $0.entity == "Tag" }) {
        try? changes.link(one, "tags", tag)
      }
    }
  }

  /// Saves under names of the framework's own that nobody exports.
  private mutating func housekeeping() throws {
    guard let object = pick(objects),
      let author = pick([MirrorForge.FrameworkAuthor.export, .migration, .setup, .event, .import, .reset])
    else { return }
    let values = values(object.entity)
    try mirror.save(author) { try $0.update(object, values) }
  }

  private mutating func shares() throws {
    let zones = mirror.sharedZones
    switch Int.random(in: 0..<5, using: &random) {
    case 0: if let zone = pick(zones) { try mirror.editShare(ofZone: zone) }
    case 1: if let zone = pick(zones) { try mirror.stopSharing(zone: zone) }
    case 2: if mirror.scope == .shared { try mirror.acceptShare(from: "_somebody") }
    default:
      let shared = (0..<2).compactMap { _ in pick(objects.filter { $0.entity != "Draft" }) }
      if mirror.scope == .private, !mirror.truth.zones.isEmpty { try mirror.share(shared) }
    }
  }

  private mutating func wipe() throws {
    guard mirror.isMirroring else { return }
    switch Int.random(in: 0..<5, using: &random) {
    case 0...1: try mirror.zoneWasDeleted()
    case 2: try mirror.userPurgedZone()
    case 3: try mirror.resetMetadata()
    default: try mirror.export()
    }
    if chance(2) { try mirror.setUp(account: account) }
  }

  /// Records that name no entity or no key. Each entity keeps one that does.
  private mutating func loseNames() throws {
    for lost in MirrorForge.LostName.allCases {
      let records = mirror.truth.records.map(\.object).filter { $0.entityNumber > 0 && $0.primaryKey > 0 }
      let counts = Dictionary(grouping: records, by: \.entityNumber)
      guard let object = pick(records.filter { counts[$0.entityNumber, default: []].count > 2 }) else {
        return
      }
      try mirror.lose(lost, ofRecordOf: object)
    }
  }

  private mutating func damage() throws {
    if chance(5) { return try mirror.forgetAccountName() }
    if let damage = pick(MirrorForge.TokenDamage.allCases + [.missing, .missing]) {
      try mirror.damageToken(damage)
    }
  }
}
