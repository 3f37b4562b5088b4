import Archives
import Base
import Lens
import SQLite
import StoreModel

extension Rule {
  static let recordAssetBroken = Rule(
    "record-asset-broken"
  ) { examination, findings in
    guard examination.tables.has(.encodedRecords) || examination.mirror?.layout.hasAssets == true else {
      throw StoreScopeError(.lacking, "The mirror's layout keeps archives in their owners' rows")
    }
    for tie in ArchiveTie.all(examination.tables) {
      try tie.checkOwners(examination, &findings)
      try tie.checkAssets(examination, &findings)
    }
  }
}

extension ArchiveTie {
  fileprivate func checkOwners(_ examination: Examination, _ findings: inout FindingCollector) throws {
    let columns = ["row", "asset", "assetRow", "assetOwner", "name", "uri"]
    try examination.store.connection.forEachRow(
      brokenOwners.select(columns, "ORDER BY \"row\"")
    ) { row in
      let problem =
        if row.isNull(2) {
          "its row is missing"
        } else if row.optionalInteger(3) != row.integer(0) {
          "its row belongs to another owner"
        } else {
          "its row holds no bytes"
        }
      findings.add(
        object: row.optionalText(5), subject: "\(owners.rawValue) \(row.integer(0)) \(key)",
        [
          "table": .text(assets.rawValue), "asset": .integer(row.integer(1)),
          "owner": .integer(row.integer(0)), "name": .optional(row.optionalText(4)),
          "problem": .text(problem),
        ])
    }
  }

  fileprivate func checkAssets(_ examination: Examination, _ findings: inout FindingCollector) throws {
    try examination.store.connection.forEachRow(
      lostAssets.select(["row", "owner"], "ORDER BY \"row\"")
    ) { row in
      findings.add(
        subject: "\(assets.rawValue) \(row.integer(0))",
        [
          "table": .text(assets.rawValue), "asset": .integer(row.integer(0)),
          "owner": .optional(row.optionalInteger(1)), "name": .null, "problem": "it has no owner",
        ])
    }
  }
}

extension Rule {
  static let recordNearLimit = Rule(
    "record-near-limit"
  ) { examination, findings in
    let limit = examination.setting("bytes", of: findings.header)
    let archives = StoredArchives(
      examination, atLeast: examination.setting("storedBytes", of: findings.header))
    try archives.forEach { archive in
      guard Double(archive.bytes) >= limit else { return }
      findings.add(
        object: archive.uri, subject: "record \(archive.recordName ?? "")",
        [
          "recordName": .optional(archive.recordName), "zone": .optional(archive.zone),
          "bytes": .count(archive.bytes), "storedBytes": .count(archive.storedBytes),
          "size": .text("one has \(Sentence.size(Int64(archive.bytes)))"),
        ])
    }
    let mostFields = examination.setting("fields", of: findings.header)
    for type in try RecordType.all(examination) where Double(type.fields) >= mostFields {
      findings.add(
        subject: "type \(type.name)",
        [
          "recordType": .text(type.name), "fields": .count(type.fields),
          "size": .text("a type has \(Sentence.count(type.fields, "field"))"),
        ])
    }
  }
}

/// The copies that the mirror keeps of records, with their sizes, but for the small ones.
private struct StoredArchives {
  struct Archive {
    var uri: String?
    var recordName: String?
    var zone: String?
    /// Unpacked.
    var bytes: Int
    var storedBytes: Int
  }

  private let examination: Examination
  private let least: Double

  init(_ examination: Examination, atLeast least: Double) {
    self.examination = examination
    self.least = least
  }

  func forEach(_ body: (Archive) throws -> Void) throws {
    for view in examination.mirror?.views.storedCopies ?? [] { try read(view, body) }
  }

  /// LENGTH asks the row's header only, so that small archives cost nothing. A value of 37 or 38 bytes that begins
  /// with 2 names a file.
  private func read(_ view: View, _ body: (Archive) throws -> Void) throws {
    try examination.store.connection.forEachRow(
      view.select(
        ["uri", "recordName", "zone", "copy", "taggedCopy", "row"],
        """
        WHERE LENGTH(copy) >= ?1 OR LENGTH(taggedCopy) >= ?1
          OR (LENGTH(taggedCopy) IN (37, 38) AND SUBSTR(taggedCopy, 1, 1) = x'02')
        ORDER BY "row"
        """), [.real(least)]
    ) { row in
      // An archive that is missing or damaged has no size; other rules look for such.
      guard let stored = content(row),
        let bytes = LZFSE.recognizes(stored) ? try? LZFSE.announcedSize(stored) : stored.count
      else { return }
      try body(
        Archive(
          uri: row.optionalText(0), recordName: row.optionalText(1), zone: row.optionalText(2), bytes: bytes,
          storedBytes: stored.count))
    }
  }

  private func content(_ row: Statement) -> [UInt8]? {
    if let bytes = row.optionalBytes(3) { return bytes }
    guard !row.isNull(4) else { return nil }
    return row.withBytes(4) { bytes in
      (try? ExternalValue.content(of: bytes, examination.store.externalFiles)).flatMap(\.self)
    }
  }
}

/// What CloudKit has for a hierarchy of entities.
private struct RecordType {
  /// `CD_` and the root entity's name.
  var name: String
  var fields: Int

  /// The types of the mirrored entities, by the root's number; none where the model can't be read.
  ///
  /// Core Data makes one type for a root entity and all below it. It has a field for each attribute, and another
  /// for the asset that a long text or data may become, one for each to-one relationship, and one for the entity's
  /// name: https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data
  static func all(_ examination: Examination) throws -> [RecordType] {
    let store = examination.store
    guard store.model != nil, let mirrored = try examination.mirror?.mirroredEntities() else { return [] }
    var fields: [Int64: Set<String>] = [:]
    for entity in store.schema.entities where mirrored.countsRows(of: entity.number) {
      fields[entity.root, default: ["CD_entityName"]].formUnion(names(of: entity))
    }
    return fields.sorted { $0.key < $1.key }.map { root, names in
      RecordType(name: "CD_" + store.entityName(ofNumber: root), fields: names.count)
    }
  }

  private static func names(of entity: SchemaEntity) -> [String] {
    let attributes = entity.attributes.filter { !$0.description.isTransient }.flatMap(\.leaves)
    let toOnes = entity.relationships.filter { !$0.description.isToMany && !$0.description.isTransient }
    return attributes.flatMap { attribute in
      let name = "CD_" + attribute.path
      return [.string, .binary, .transformable].contains(attribute.description.type)
        ? [name, name + "_ckAsset"] : [name]
    } + toOnes.map { "CD_" + $0.name }
  }
}
