import Archives
import Base
import Lens
import SQLite
import StoreModel

/// Searches every value in which an app can keep an object's URI, once for all rules that watch them: texts, URIs,
/// JSON, property lists and keyed archives of objects, also in files next to the store; what history keeps of deleted
/// objects; the mirror's texts; and the app's keys in the metadata.
///
/// Values are searched as bytes; only those that hold a URI are decoded, to say where in them it is. What is
/// compressed or encrypted isn't seen.
struct ValuePass {
  /// Larger blobs, and larger files, aren't searched; the pass says so.
  static let limit = 64 << 20

  private let examination: Examination
  private var store: CoreDataStore { examination.store }
  private let body: (FoundReference) throws -> Void
  private let names: EntityNames
  private var omissions = Omissions("All values were searched")

  private init(_ examination: Examination, _ body: @escaping (FoundReference) throws -> Void) {
    self.examination = examination
    self.body = body
    names = EntityNames(examination.store)
  }

  /// - Parameters:
  ///   - step: called for every row.
  ///   - body: called for every URI, in the order of tables and rows.
  /// - Returns: what could not be searched, as a sentence; nil where all was.
  static func run(
    _ examination: Examination, step: () -> Void, _ body: (FoundReference) throws -> Void
  ) throws -> String? {
    try withoutActuallyEscaping(body) { body in
      var pass = ValuePass(examination, body)
      try pass.searchMetadata()
      let store = examination.store
      var tables = store.tables.modelTables.compactMap { ValueColumns(objects: $0, in: store) }
      tables += FrameworkTable.allCases.compactMap { ValueColumns($0, in: store, examination.tables) }
      for table in tables {
        let large = try ScreenedRanges(of: table.table, in: store, by: examination.open.otherReaders) {
          pass.screen(table, $0)
        }
        guard let large else {
          try pass.search(table, step: step)
          continue
        }
        while let range = try large.next(whileWaiting: step) { try pass.search(table, range, step: step) }
      }
      return pass.omissions.sentence
    }
  }

  /// Whether rows may hold a URI, or hold what the pass doesn't look at.
  private func screen(_ columns: ValueColumns, _ store: CoreDataStore) -> ScreenedRanges.Screen {
    var statements = RangeStatement { condition in
      try store.connection.prepare(columns.sql(limit: Self.limit, where: condition))
    }
    return { range in
      let statement = try statements.over(range)
      while try statement.step() {
        try Interruption.check()
        for index in columns.names.indices {
          let cell = statement.cell(index + 2)
          let isWorth =
            switch cell.type {
            case .null, .real: false
            case .integer: columns.mayBeLarge[index] && cell.integer > Int64(Self.limit)
            case .text: cell.withBytes(URIScanner.mayFind)
            case .blob:
              cell.withBytes {
                switch content(of: $0, columns, statement, index) {
                case .bytes(let bytes): URIScanner.mayFind(in: bytes)
                case .file: true
                case nil: false
                }
              }
            }
          if isWorth { return true }
        }
      }
      return false
    }
  }

  private mutating func search(_ columns: ValueColumns, _ range: KeyRange? = nil, step: () -> Void) throws {
    let sql = columns.sql(limit: Self.limit, where: range?.condition("Z_PK"))
    let statement = try store.connection.prepare(sql)
    while try statement.step() {
      step()
      for index in columns.names.indices {
        let cell = statement.cell(index + 2)
        switch cell.type {
        case .null, .real: continue
        case .integer:
          if columns.mayBeLarge[index], cell.integer > Int64(Self.limit) {
            omissions.add(place(columns, statement, index), "holds \(cell.integer) bytes")
          }
        case .text:
          try cell.withBytes { bytes in
            if URIScanner.mayFind(in: bytes) { try report(bytes, columns, statement, index) }
          }
        case .blob: try cell.withBytes { try search($0, columns, statement, index) }
        }
      }
    }
  }

  private mutating func search(
    _ bytes: UnsafeRawBufferPointer, _ columns: ValueColumns, _ row: Statement, _ index: Int
  ) throws {
    switch content(of: bytes, columns, row, index) {
    case .bytes(let bytes):
      if URIScanner.mayFind(in: bytes) { try report(bytes, columns, row, index) }
    case .file(let name, let kind): try search(file: name, kind, columns, row, index)
    case nil: break
    }
  }

  private enum Content {
    case bytes(UnsafeRawBufferPointer)
    case file(String, ExternalFiles.Kind)
  }

  /// What a blob has or stands for; nil for a tag with nothing behind it.
  private func content(
    of bytes: UnsafeRawBufferPointer, _ columns: ValueColumns, _ row: Statement, _ index: Int
  ) -> Content? {
    guard let first = bytes.first, first <= 3,
      columns.property(row.optionalInteger(1), index)?.isTagged == true
    else { return .bytes(bytes) }
    switch ExternalValue(bytes) {
    case .untagged: return .bytes(bytes)
    case .inline(let range): return range.map { .bytes(UnsafeRawBufferPointer(rebasing: bytes[$0])) }
    case .file(let name): return .file(name, .externalData)
    case .fileBackedFuture(let name, _): return .file(name, .fileBackedFuture)
    }
  }

  private mutating func search(
    file name: String, _ kind: ExternalFiles.Kind, _ columns: ValueColumns, _ row: Statement, _ index: Int
  ) throws {
    // One that isn't there is another rule's affair.
    guard ExternalFiles.isFileName(name) else { return }
    let file = store.externalFiles.file(name, kind)
    switch file.state {
    case .file, .unreadable: break
    case .link: return omissions.add(place(columns, row, index), "is behind a link, not followed")
    case .missing, .folder, .special: return
    }
    do {
      let (beginning, size) = try FileReader.beginning(of: file, count: 64)
      guard !beginning.withUnsafeBytes(BlobKind.isMedia) else { return }
      guard size <= Self.limit else {
        return omissions.add(place(columns, row, index), "is in a file of \(size) bytes")
      }
      try FileReader.bytes(of: file, limit: Self.limit).withUnsafeBytes { bytes in
        if URIScanner.mayFind(in: bytes) { try report(bytes, columns, row, index) }
      }
    } catch let error as StoreScopeError {
      omissions.add(place(columns, row, index), "is in a file that can't be read (\(error.clause))")
    }
  }

  private mutating func report(
    _ bytes: UnsafeRawBufferPointer, _ columns: ValueColumns, _ row: Statement, _ index: Int
  ) throws {
    let entity = columns.keeper == .object ? row.optionalInteger(1) : nil
    let holder = columns.keeper == .object ? names.uri(entity, row.optionalInteger(0)) : nil
    let place = place(columns, row, index)
    try URIPlaces.find(in: bytes) { path, text, uri in
      try body(
        FoundReference(
          keeper: columns.keeper, holder: holder, entity: entity, place: place + path, text: text, uri: uri))
    }
  }

  private func place(_ columns: ValueColumns, _ row: Statement, _ index: Int) -> String {
    let entity = row.optionalInteger(1)
    if let property = columns.property(entity, index), let name = entity.flatMap({ store.schema[$0]?.name }) {
      return "\(name).\(property.path)"
    }
    return "\(columns.table).\(columns.names[index]) of row \(row.text(0))"
  }

  private func searchMetadata() throws {
    guard case .decoded(let list) = store.metadata.propertyList else { return }
    for entry in list.entries {
      let bytes = BinaryPropertyList.write(entry.value)
      try bytes.withUnsafeBytes { bytes in
        guard URIScanner.mayFind(in: bytes) else { return }
        try URIPlaces.find(in: bytes) { path, text, uri in
          try body(
            FoundReference(
              keeper: .metadata, holder: nil, entity: nil, place: "Z_METADATA.\(entry.key)\(path)",
              text: text,
              uri: uri))
        }
      }
    }
  }
}
