package import Base

/// Prints documents. The only place that distinguishes formats.
package struct Renderer {
  package struct Options: Sendable {
    package var format: Format
    /// Rows of the payload at most; nil for the format's default.
    package var limit: Int?
    /// So many rows of the payload aren't printed, before those that are.
    package var offset = 0
    /// The columns to print, in this order; nil for the format's own choice.
    package var columns: [String]?
    package var style: TextStyle
    /// True where the output is a terminal, which control characters must not reach.
    package var isTerminal: Bool

    package init(
      format: Format = .table, limit: Int? = nil, columns: [String]? = nil,
      style: TextStyle = TextStyle(), isTerminal: Bool = false
    ) {
      self.format = format
      self.limit = limit
      self.columns = columns
      self.style = style
      self.isTerminal = isTerminal
    }
  }

  let output: OutputBuffer
  let options: Options
  /// Where tables number the objects they show; nil where they don't.
  let numbers: ObjectNumbers?

  package init(output: OutputBuffer, options: Options, numbers: ObjectNumbers? = nil) {
    self.output = output
    self.options = options
    self.numbers = numbers
  }

  /// The document as a file of that format has it.
  package static func bytes(of document: Document, as format: Format) throws -> [UInt8] {
    try OutputBuffer.collecting { output in
      try Renderer(output: output, options: Options(format: format)).render(document)
    }
  }

  /// Throws what the document's rows throw while they are made; what was printed until then stays.
  package func render(_ document: Document) throws {
    defer { output.flush() }
    var document = try (options.columns.map(document.selecting) ?? document).skipping(options.offset)
    if options.format != .html {
      document.blocks = (document.warning.map { [.text($0)] } ?? []) + document.plainBlocks
    }
    try streams(of: document).forEach { try $0.prepare() }
    switch options.format {
    case .table, .vertical: try TextRenderer(self, isChosen: options.columns != nil).render(document)
    case .markdown:
      try MarkdownRenderer(output: output, limit: tableLimit, dates: options.style.dates).render(document)
    case .json where document.special[.json] != nil: special(document)
    case .json: try json(document)
    case .ndjson: try ndjson(document)
    case .csv: try csv(document)
    case .html: try PageRenderer(document)?.render(to: output)
    case .sarif, .junit, .mermaid, .dot, .svg: special(document)
    }
  }

  /// The rows that the format prints.
  private func streams(of document: Document) -> [RowStream] {
    switch options.format {
    case .table, .vertical, .markdown:
      document.blocks.compactMap { if case .table(let stream) = $0 { stream } else { nil } }
    case .json, .ndjson, .csv:
      document.fields.compactMap { field in
        switch field.content {
        case .rows(let stream), .rowsAndColumns(let stream), .list(let stream): stream
        case .value, .objects: nil
        }
      }
    case .sarif, .junit, .html, .mermaid, .dot, .svg: []
    }
  }

  private func special(_ document: Document) {
    switch document.special[options.format]?() {
    case .json(let value):
      JSONWriter(output).value(value)
      output.text("\n")
    case .text(let text): output.text(text)
    case nil: break
    }
  }

  /// Tables for people show so many rows unless more are asked for.
  package static let tableLimit = 100
  var tableLimit: Int { options.limit ?? Self.tableLimit }

  private func dataLimit(_ document: Document) -> Int {
    document.isLimited ? options.limit ?? .max : .max
  }

  // MARK: - JSON

  private func json(_ document: Document) throws {
    let json = JSONWriter(output)
    output.text("{\"schema\":\"storescope/\(document.command)/1\"")
    if let store = document.store {
      output.text(",\n\"store\":")
      json.value(store.value)
    }
    for field in document.fields {
      output.text(",\n")
      let limit = field.name == document.payload ? dataLimit(document) : .max
      try member(field, limit, separator: ",\n")
    }
    output.text("}\n")
  }

  /// `"name":content`. Between the elements of lists comes `separator`; `limit` is for the elements, or for those of the
  /// lists in them where they are objects.
  private func member(_ field: Document.Field, _ limit: Int, separator: String) throws {
    let isOnLines = separator.contains("\n")
    func list(_ name: String, _ body: () throws -> Bool) rethrows {
      output.text(JSONText.compact(.text(name)) + ":[")
      let hasElements = try body()
      output.text(hasElements && isOnLines ? "\n]" : "]")
    }
    func rows(_ stream: RowStream, _ shape: JSONRowSink.Shape) throws {
      try list(field.name) {
        let sink = JSONRowSink(
          columns: stream.columns, shape: shape, opening: isOnLines ? "\n" : "", separator: separator,
          limit: limit, to: output)
        if limit > 0 { try stream.produce(sink) }
        return sink.rows > 0
      }
    }
    let json = JSONWriter(output)
    switch field.content {
    case .value(.array(let elements)):
      list(field.name) {
        for (index, element) in elements.prefix(limit).enumerated() {
          output.text(index > 0 ? separator : isOnLines ? "\n" : "")
          json.value(element)
        }
        return !elements.isEmpty
      }
    case .value(let value):
      output.text(JSONText.compact(.text(field.name)) + ":")
      json.value(value)
    case .rows(let stream): try rows(stream, .objects)
    case .list(let stream): try rows(stream, .values)
    case .rowsAndColumns(let stream):
      output.text("\"columns\":")
      json.value(.array(stream.columns.map { .text($0.name) }))
      output.text(separator)
      try rows(stream, .objects)
    case .objects(let objects, _, _):
      try list(field.name) {
        for (index, object) in objects.enumerated() {
          output.text(index > 0 ? separator : isOnLines ? "\n" : "")
          try self.object(object, limit, separator: separator)
        }
        return !objects.isEmpty
      }
    }
  }

  private func object(_ members: [Document.Field], _ limit: Int, separator: String) throws {
    output.text("{")
    for (index, field) in members.enumerated() {
      if index > 0 { output.text(",") }
      try member(field, limit, separator: separator)
    }
    output.text("}")
  }

  private func ndjson(_ document: Document) throws {
    let json = JSONWriter(output)
    let limit = dataLimit(document)
    guard let field = document.fields.first(where: { $0.name == document.payload }) else {
      let members = document.fields.compactMap { field -> DataValue.Member? in
        guard case .value(let value) = field.content else { return nil }
        return DataValue.Member(field.name, value)
      }
      json.value(.object(members))
      output.text("\n")
      return
    }
    switch field.content {
    case .value(.array(let elements)):
      for element in elements.prefix(limit) {
        json.value(element)
        output.text("\n")
      }
    case .value(let value):
      json.value(value)
      output.text("\n")
    case .rows(let stream), .rowsAndColumns(let stream): try lines(stream, .objects, limit)
    case .list(let stream): try lines(stream, .values, limit)
    case .objects(let objects, _, _):
      for object in objects {
        try self.object(object, limit, separator: ",")
        output.text("\n")
      }
    }
  }

  private func lines(_ stream: RowStream, _ shape: JSONRowSink.Shape, _ limit: Int) throws {
    guard limit > 0 else { return }
    try produce(stream, limit) { output, rows in
      let sink = JSONRowSink(
        columns: stream.columns, shape: shape, opening: "", separator: "\n", limit: limit, to: output)
      try rows(sink)
      if sink.rows > 0 { output.text("\n") }
    }
  }

  // MARK: - CSV

  private func csv(_ document: Document) throws {
    guard let field = document.fields.first(where: { $0.name == document.payload }) else {
      throw StoreScopeError(
        .invalid, document.command, "has no rows to print as CSV", advice: "use --format json instead")
    }
    let stream = field.content.rows
    guard !stream.columns.isEmpty else { return }
    let limit = dataLimit(document)
    let impossibleDates = try stream.impossibleDates(limit)
    func sink(hasHeader: Bool, _ output: OutputBuffer) -> CSVRowSink {
      CSVRowSink(
        columns: stream.columns, impossibleDates: impossibleDates, hasHeader: hasHeader, limit: limit,
        escapesControls: options.isTerminal, to: output)
    }
    _ = sink(hasHeader: true, output)
    if limit > 0 { try produce(stream, limit) { output, rows in try rows(sink(hasHeader: false, output)) } }
  }

  // MARK: - Threads

  /// Prints rows that stand one below the other, large tables by several threads: the million objects of a large store
  /// take two thirds of the time on two cores.
  /// - Parameter write: prints the rows of one part, or all of them.
  private func produce(
    _ stream: RowStream, _ limit: Int,
    write: (OutputBuffer, _ rows: (any RowSink) throws -> Void) throws -> Void
  ) throws {
    guard limit == .max, let parts = try stream.parts() else { return try write(output, stream.produce) }
    try withoutActuallyEscaping(write) { write in
      let makers = parts.makers.map { maker -> Threads.PartMaker in
        { part, handOver in
          try withoutActuallyEscaping(handOver) { handOver in
            let output = OutputBuffer(write: handOver)
            // Also what comes before a damaged page.
            defer { output.flush() }
            try write(output) { try maker(part, $0) }
          }
        }
      }
      try Threads.inOrder(parts: parts.count, by: makers, whileWaiting: parts.whileWaiting) { piece in
        output.bytes(piece)
        return !output.isClosed
      }
    }
  }
}

extension RowStream {
  /// What is said below a table; nil if there is nothing to say.
  func lastLine(shown: Int, isCut: Bool, _ dates: DateText) throws -> String? {
    try footer.map { try $0(shown, isCut, dates) }
      ?? (isCut ? Self.remainder(of: count(), after: skipped + shown) : nil)
  }

  /// What is said below a list that was cut.
  /// - Parameter count: how many there are; nil if that isn't known.
  package static func remainder(of count: Int?, after shown: Int) -> String {
    guard let count else { return "… and more: --limit N shows N rows" }
    return
      "… and \(Sentence.number(count - shown)) more of \(Sentence.number(count)): --limit \(count) shows them all"
  }
}
