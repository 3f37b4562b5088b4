import Base
import Diagnostics
import Discovery
import Evidence
import Fleet
import Lens
import Rendering
import Reports
import SQLite

/// Examines one store for `fleet`.
struct FleetWorker {
  let task: FleetTask
  let password: BackupPassword

  func answer(_ place: FoundPlace) -> [UInt8] {
    do {
      switch task.answer {
      case .record: return try record(of: place)
      case .documents: return try line(of: place.address)
      case .rows: return try rows(of: place.address)
      }
    } catch { return task.answer.bytes(failure(error), address: place.address) }
  }

  private func failure(_ error: any Error) -> StoreFailure {
    let cause = (error as? StoreReadError)?.cause ?? error as? SQLiteError
    if cause?.isOutOfMemory == true { return .outOfMemory(limit: task.memory) }
    return StoreFailure((error as? StoreReadError).map { $0.cause.failure(reading: $0.path) } ?? error)
  }

  /// The record of what it adds to the datasets; none of it for what isn't asked for.
  private func record(of place: FoundPlace) throws -> [UInt8] {
    let source =
      try StoreAddress(place.address) == nil
      ? StoreSource(at: place.address) : StoreSource(place.address, password: password)
    let rows: StoreRows? = try read(source) { session, storeId in
      guard try session.opened().connection.hasTable("Z_METADATA") else { return nil }
      let open = try open(session)
      guard try !task.isMirrored || open.mirror() != nil else { return nil }
      let examination = try StoreExamination(open, marks: marks)
      return try StoreRows(examination, place, storeId: storeId, isContained: source.isExtracted)
    }
    return StoreRecord(address: place.address, rows).bytes
  }

  private var marks: Marks? { task.includesValues ? nil : .numbered() }

  /// Others work at the same time: no store is read by several threads.
  private func open(_ session: Session) throws -> OpenStore {
    let open = try session.open()
    open.sizeForThreads = .max
    return open
  }

  private func read<R>(_ source: StoreSource, _ body: (Session, String) throws -> R) throws -> R {
    try SecondLook.read({ Session(source, goesOn: { !Interruption.isRequested }) }) { session in
      // While it isn't open: see `FileReader.fingerprint`.
      let files = try StoreFiles(path: session.location)
      let parts = [files.resolvedPath] + (files.wal == nil ? [] : [files.walPath])
      let storeId = try FileReader.fingerprint(of: parts).sha256
      let result = try body(session, storeId)
      try session.finish()
      return result
    }
  }

  // MARK: - Standard input

  /// A line of JSON for a store that is named as commands take it.
  private func line(of name: String) throws -> [UInt8] {
    try read(StoreSource(name, password: password)) { session, storeId in
      let examination = try StoreExamination(open(session), marks: marks)
      var line = Self.beginning(["storeId": .text(storeId), "address": .text(name)])
      for (key, document) in try documents(session, examination) {
        line += Array(",\"\(key)\":".utf8)
        line += try document.map(Self.json) ?? Array("null".utf8)
      }
      return line + Array("}\n".utf8)
    }
  }

  /// A line per row of a store that is named as commands take it.
  private func rows(of name: String) throws -> [UInt8] {
    let source = try StoreSource(name, password: password)
    let place = try place(of: source)
    return try read(source) { session, storeId in
      let examination = try StoreExamination(open(session), marks: marks)
      return try StoreRows(examination, place, storeId: storeId, isContained: source.isExtracted).namedLines
    }
  }

  /// As a search finds it.
  private func place(of source: StoreSource) throws -> FoundPlace {
    if let place = StoreAddress(source.path).flatMap(FoundPlace.init(inBackup:)) { return place }
    var places: [FoundPlace] = []
    let finder = StoreFinder(
      .init(candidate: { places.append($0) }, skipped: { _ in }, progress: { _ in }), password: password)
    try finder.look(at: source.path)
    return places.first { Address($0.address) == Address(source.path) } ?? FoundPlace(address: source.path)
  }

  private static func beginning(_ members: DataValue) -> [UInt8] {
    Array(JSONText.compact(members).utf8.dropLast())
  }

  private static func json(_ document: Document) throws -> [UInt8] {
    // Between values only: in texts it is escaped.
    try Renderer.bytes(of: document, as: .json).filter { $0 != 0x0A }
  }

  /// What the single commands print as JSON; nil for one that the store is too damaged for.
  private func documents(
    _ session: Session, _ store: StoreExamination
  ) throws -> [(String, Document?)] {
    let progress = Progress(isShown: false)
    let identity = try session.identity()
    let cautions = try StoreExamination.part { try FileCautions(session.opened()) }
    return try [
      (
        "summary",
        StoreExamination.part {
          try StoreSummary(session, progress: progress, known: store, cautions: cautions)
            .document(showsCommits: false, showsMetadata: false)
        }
      ),
      (
        "doctor",
        Document(
          command: "doctor", store: identity, payload: "findings", Diagnosis.fields, of: store.diagnosis)
      ),
      (
        "pending",
        cautions.flatMap { cautions in
          try StoreExamination.part { try pending(store, identity, cautions) }
        }
      ),
      (
        "size",
        store.size.flatMap { size in
          try StoreExamination.part {
            try SizeDocument(session, size, limit: .max, progress).document(hasChart: false)
          }
        }
      ),
    ]
  }

  private func pending(_ store: StoreExamination, _ identity: StoreIdentity, _ cautions: FileCautions) throws
    -> Document
  {
    var items: [DataValue] = []
    try store.pending?.forEach { item in
      items.append(item.masked(store.privacy).value)
      return true
    }
    let document = PendingDocument(
      verdict: store.verdict, counts: store.pending?.counts ?? [:], cautions: cautions)
    let fields = Document.fields(PendingDocument.fields, of: document)
    return Document(
      command: "pending", store: identity, fields: fields + [.init("pending", .array(items))],
      payload: "pending")
  }
}
