import Base

/// Which generation of the mirror's tables a store has.
///
/// Recognized by tables and columns alone: a store keeps its layout until a newer framework opens it, so no version
/// number shows it. The numbers are Apple's, as app authors report them; what each generation added comes from the same
/// reports. `v16` (iOS 16 to 18) and `v17` (iOS 26 and 27) are known in full, the older ones by their marks.
package enum MirrorLayout: String, FieldWord, Sendable, Equatable, Comparable {
  /// Tables of the first betas: exports and imports only, no records.
  case v4 = "V4"
  case v5 = "V5"
  case v6 = "V6"
  case v7 = "V7"
  case v8 = "V8"
  case v9 = "V9"
  case v10 = "V10"
  case v11 = "V11"
  case v12 = "V12"
  case v13 = "V13"
  case v14 = "V14"
  case v15 = "V15"
  case v16 = "V16"
  case v17 = "V17"
  /// Tables of a mirror that fit nothing known here.
  case unknown

  package var name: String { rawValue }

  /// The newest framework that is known to write one of these layouts, that of iOS 27 and macOS 27: app authors met it on
  /// a Mac, with all tables of `v17`.
  package static let newestKnownFramework: Int64 = 1629

  /// Below it no flag says what is pending, and no event is kept.
  package var hasUploadFlags: Bool { self != .unknown && self >= .v8 }

  /// Archives are in tables of their own, not in their owners' rows.
  package var hasAssets: Bool { self != .unknown && self >= .v17 }

  /// Whether every table and column of it is known.
  package var isComplete: Bool { self == .v16 || self == .v17 }

  package static func < (one: Self, other: Self) -> Bool { one.order < other.order }

  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The newest generation of which the store bears a mark, so that one table that is missing doesn't hide it.
  /// Nil where there is no table of a mirror at all; `unknown` where there is one of a name that no generation has,
  /// or where the records lack what every generation since V5 has.
  static func recognize(_ tables: FrameworkTables) -> MirrorLayout? {
    guard tables.hasMirror else { return nil }
    guard tables.unknownTables.isEmpty else { return .unknown }
    if tables.has(.records),
      !["ZENTITYID", "ZENTITYPK", "ZCKRECORDNAME"].allSatisfy({ tables.has(.records, $0) }),
      tables.has(.records, "ZNEEDSUPLOAD") || !tables.has(.records, "ZUNIQUEIDENTIFIER")
    {
      return .unknown
    }
    return marks.first { $0.isPresent(tables) }?.layout ?? .unknown
  }

  /// Newest first.
  private static let marks: [(layout: MirrorLayout, isPresent: @Sendable (FrameworkTables) -> Bool)] = [
    (
      .v17,
      { tables in
        FrameworkTable.allCases.contains { $0.isAsset && tables.has($0) }
          || tables.has(.records, "ZENCODEDRECORDASSET") || tables.has(.zones, "ZENCODEDSHAREASSET")
      }
    ),
    (.v16, { $0.has(.zones, "ZNEEDSNEWSHAREINVITATION") }),
    // Without the zones' table the two can't be distinguished; they differ in that one column.
    (.v16, { !$0.has(.zones) && $0.has(.records, "ZENCODEDRECORD") }),
    (.v15, { $0.has(.zones, "ZNEEDSRECOVERYFROMIDENTITYLOSS") }),
    (.v14, { $0.has(.zones, "ZNEEDSSHAREDELETE") }),
    (.v13, { $0.has(.records, "ZENCODEDRECORD") }),
    (.v12, { $0.has(.moveReceipts) }),
    (.v11, { $0.has(.zones, "ZENCODEDSHAREDATA") || $0.has(.zones, "ZNEEDSSHAREUPDATE") }),
    (.v10, { $0.has(.zones, "ZNEEDSIMPORT") }),
    (.v9, { $0.has(.analyzerStates) || $0.has(.zoneQueries) }),
    (.v8, { $0.has(.events) || $0.has(.records, "ZNEEDSUPLOAD") }),
    (.v7, { $0.has(.metadataEntries, "ZDATEVALUE") || $0.has(.zones, "ZLASTFETCHDATE") }),
    (.v6, { $0.has(.links, "ZRECORDZONE") }),
    (.v5, { $0.has(.records) || $0.has(.zones) || $0.has(.databases) || $0.has(.metadataEntries) }),
    (.v4, { $0.has(.exportMetadata) || $0.has(.exportOperations) || $0.has(.exportedObjects) }),
  ]
}
