import Archives
package import Base
package import SQLite

/// Decodes the cells of one attribute. What the column holds may be anything: a value of another storage class than
/// the type's is passed on as it is.
package struct CellDecoder: Sendable {
  private enum Kind: Sendable {
    case plain, boolean, date, uuid, binary, json
    case external(ExternalFiles)
  }

  private let kind: Kind

  /// Passes every value on as it is.
  package static let plain = CellDecoder(kind: .plain)

  private init(kind: Kind) { self.kind = kind }

  /// The leaf of an attribute: not a composite. `files` is where its large values lie.
  package init(_ attribute: SchemaAttribute, files: ExternalFiles) {
    let description = attribute.description
    switch description.type {
    case .boolean: kind = .boolean
    case .date: kind = .date
    case .uuid: kind = .uuid
    case .binary, .transformable:
      if description.allowsExternalStorage || description.isFileBackedFuture {
        kind = .external(files)
      } else {
        // SwiftData keeps arrays and nested types of a composite as JSON in a Binary element.
        kind = attribute.path.contains(".") && description.type == .binary ? .json : .binary
      }
    default: kind = .plain
    }
  }

  /// Whether numbers are dates.
  package var isDate: Bool { if case .date = kind { true } else { false } }

  /// The decoded value, for where there are few.
  package func value(_ cell: Cell) -> DataValue {
    let sink = ValueSink()
    push(cell, into: sink)
    return sink.value
  }

  package func push(_ cell: Cell, into sink: some CellSink) {
    switch (cell.type, kind) {
    case (.null, _): sink.null()
    case (.integer, .boolean) where cell.integer == 0 || cell.integer == 1: sink.bool(cell.integer == 1)
    // Whole seconds are stored as integers (measured on a third of all real dates).
    case (.integer, .date), (.real, .date): sink.date(CoreDataDate(seconds: cell.real))
    case (.integer, _): sink.integer(cell.integer)
    case (.real, _): sink.real(cell.real)
    case (.text, _): cell.withBytes(sink.text)
    case (.blob, .uuid):
      cell.withBytes { bytes in
        if bytes.count == 16 { sink.uuid(bytes) } else { sink.blob(bytes) }
      }
    case (.blob, .json):
      cell.withBytes { bytes in
        if let value = try? JSONReader.read(bytes) { sink.value(value) } else { sink.blob(bytes) }
      }
    case (.blob, .external(let files)): cell.withBytes { push(external: $0, files, into: sink) }
    case (.blob, _): cell.withBytes(sink.blob)
    }
  }

  private func push(external bytes: UnsafeRawBufferPointer, _ files: ExternalFiles, into sink: some CellSink)
  {
    switch ExternalValue(bytes) {
    case .untagged: sink.blob(bytes)
    case .inline(let range):
      sink.blob(
        range.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
          ?? UnsafeRawBufferPointer(start: nil, count: 0))
    case .file(let name): push(file: name, .externalData, files, into: sink)
    case .fileBackedFuture(let name, _): push(file: name, .fileBackedFuture, files, into: sink)
    }
  }

  private func push(
    file name: String, _ kind: ExternalFiles.Kind, _ files: ExternalFiles, into sink: some CellSink
  ) {
    do {
      let content = try files.bytes(of: name, kind)
      content.withUnsafeBytes(sink.blob)
    } catch {
      // As much of a blob as is known.
      let state = ExternalFiles.isFileName(name) ? files.file(name, kind).state : nil
      let isLink = state == .link
      let problem =
        isLink
        ? "a link, not followed"
        : state == .missing ? "there is no file '\(files.relativePath(of: name, kind))'" : error.clause
      sink.value([
        "blob": ["bytes": nil, "kind": isLink ? "link" : "unreadable", "sha256": nil],
        "externalFile": .text(name), "problem": .text(problem),
      ])
    }
  }
}

/// Keeps the one value that is pushed.
private final class ValueSink: CellSink {
  var value = DataValue.null

  func skip() {}
  func value(_ value: DataValue) { self.value = value }
}

/// Puts a composite together again from its leaves.
package enum CompositeValue {
  /// `leaves` has the values by dotted path. Null where every leaf is: SwiftData stores an absent struct so.
  package static func assemble(_ attribute: SchemaAttribute, _ leaves: [String: DataValue]) -> DataValue {
    guard attribute.description.type == .composite, !attribute.description.isEnumeration else {
      return leaves[attribute.leaves.first?.path ?? ""] ?? .null
    }
    let members = attribute.elements.map { DataValue.Member($0.name, assemble($0, leaves)) }
    return members.allSatisfy { $0.value == .null } ? .null : .object(members)
  }
}
