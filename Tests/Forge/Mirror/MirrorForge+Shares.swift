package import Values

extension MirrorForge {
  /// Moves objects into a zone of their own, which is shared: https://developer.apple.com/documentation/cloudkit/ckshare
  /// - Returns: the zone's name.
  @discardableResult
  package func share(
    _ objects: [ForgedObject], title: String = "Shared", at date: CoreDataDate? = nil
  ) throws -> String {
    let moment = moment(date)
    let name = "com.apple.coredata.cloudkit.share." + names.uuid()
    let zone = addZone(name)
    ledger.zones[zone]?.flags = ["needsShareUpdate"]
    let share = shareArchive(name, Self.ownOwner, title)
    ledger.zones[zone]?.share = share
    for object in objects where forge.truth[object] != nil {
      guard let key = ledger.recordKey(of: object) ?? register(object), var record = ledger.records[key]
      else {
        continue
      }
      if record.isAcknowledged, let old = ledger.zones[record.zone] {
        let receipt = MirrorLedger.MoveReceipt(
          record: key, recordName: record.name, zone: old.name, owner: old.owner, movedAt: moment)
        ledger.add(receipt, to: \.receipts)
      }
      record.zone = zone
      record.needsUpload = true
      record.encodedRecord = nil
      record.systemFields = nil
      ledger.records[key] = record
    }
    try commit()
    return name
  }

  /// The archive that the framework keeps of a share.
  package func shareArchive(_ zone: String, _ owner: String, _ title: String) -> MirrorBlob {
    let header = header(type: "cloudkit.share", name: "cloudkit.zoneshare", zone: zone, owner: owner)
    return MirrorBlob(
      bytes: MirrorArchives.share(header, title: title), key: ledger.newKey(MirrorLedger.Zone.shareAsset))
  }

  /// The server takes what became of a zone's share.
  func sendShare(_ zone: Int64) {
    if ledger.zones[zone]?.flags.remove("needsShareUpdate") != nil {
      ledger.zones[zone]?.flags.insert("hasRecordZone")
    }
    if ledger.zones[zone]?.flags.remove("needsShareDelete") != nil { ledger.zones[zone]?.share = nil }
  }

  /// Links follow objects that moved to another zone, and are sent again.
  func moveLinks() {
    for receipt in ledger.receipts.values where receipt.needsCloudDelete {
      guard let record = ledger.records[receipt.record] else { continue }
      for (key, link) in ledger.links
      where link.zone != record.zone && [link.one.record, link.other.record].contains(record.name) {
        ledger.links[key]?.zone = record.zone
        if !link.isPending { ledger.links[key]?.isUploaded = false }
      }
    }
  }
}
