package import Base
import Rendering
import SQLite

/// SQL that loads an export into DuckDB, each file as a table with the types that its values have. Guessing from the
/// first rows, DuckDB takes digits for numbers and finds no columns in an empty file.
/// https://duckdb.org/docs/stable/data/json/loading_json, https://duckdb.org/docs/stable/data/csv/overview
package struct LoadScript {
  package static let name = "load.sql"

  let manifest: ExportManifest

  var text: String {
    var names = Tables()
    let statements = manifest.parts.map { part, exported in
      statement(names.name(for: part), part, exported)
    }
    // DuckDB's text ends at a NUL.
    let tables = String(
      String.UnicodeScalarView(statements.joined(separator: "\n").unicodeScalars.filter { $0 != "\0" }))
    return """
      -- Loads the files of this folder into DuckDB. In the folder:
      --   duckdb dump.duckdb -c ".read \(Self.name)"
      -- As Parquet, a file per table, in the folder 'parquet':
      --   duckdb -c ".read \(Self.name)" -c "EXPORT DATABASE 'parquet' (FORMAT parquet)"
      SET TimeZone = 'UTC';
      \(tables)

      """
  }

  private func statement(_ table: String, _ part: ExportPart, _ exported: ExportedPart) -> String {
    let columns = FileColumn.all(part, exported)
    let file = quotedText(exported.file)
    let create = "CREATE TABLE \(quotedIdentifier(table)) AS SELECT * FROM"
    // To DuckDB, columns whose names differ only in case are the same, and it can't read such a file by names.
    guard Set(columns.map { $0.name.lowercased() }).count == columns.count else {
      let reader =
        manifest.format == .csv ? "read_csv(\(file), all_varchar = true)" : "read_ndjson_objects(\(file))"
      return "\(create) \(reader);"
    }
    let types = Self.list(columns.map { ($0.name, type($0)) })
    let options =
      manifest.format == .csv
      ? """
      read_csv(\(file), auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', \
      nullstr = '', allow_quoted_nulls = false, max_line_size = \(Self.longestRow), parallel = false
      """
      : Self.readingJSON(file)
    return "\(create) \(options), columns = {\n  \(types)\n});"
  }

  private static func readingJSON(_ file: String) -> String {
    """
    read_json(\(file), format = 'newline_delimited', auto_detect = false, \
    maximum_object_size = \(longestRow)
    """
  }

  private static func list(_ columns: [(name: String, type: String)]) -> String {
    columns.map { "\(quotedText($0.name)): '\($0.type)'" }.joined(separator: ",\n  ")
  }

  /// A view of the rows of several files of the same columns.
  /// - Parameter files: their names, with `*` for those of all parts.
  package static func view(
    _ name: String, of files: String, _ columns: [(name: String, type: String)]
  ) -> String {
    "CREATE OR REPLACE VIEW \(quotedIdentifier(name)) AS SELECT * FROM \(readingJSON(quotedText(files))), columns = {\n  \(list(columns))\n});"
  }

  /// DuckDB's own limits, 2 and 16 MB, are less than a text may have.
  private static let longestRow = 1 << 28

  private func type(_ column: FileColumn) -> String {
    switch column.kinds {
    case .bool: "BOOLEAN"
    case .integer: "BIGINT"
    case .real: "DOUBLE"
    case [.real, .integer] where column.isReal: "DOUBLE"
    case .uuid: "UUID"
    case .text, [.text, .uuid]: "VARCHAR"
    case .date, .impossibleDate, [.date, .impossibleDate]: "TIMESTAMPTZ"
    case .list where manifest.format != .csv: "VARCHAR[]"
    case .list, .structure, [.list, .structure]: "JSON"
    // In CSV a text stands without the quotes that would make it JSON.
    default: manifest.format == .csv ? "VARCHAR" : "JSON"
    }
  }

  /// An entity may be called as a table of the framework is.
  private struct Tables {
    private var taken: Set<String> = []

    mutating func name(for part: ExportPart) -> String {
      var name = Platform.fileName(part.file)
      while !taken.insert(name.lowercased()).inserted { name += "_" }
      return name
    }
  }
}

/// The schemas of all files as Spark reads them, by file: `StructType.fromJson(schemas["entities/Person.ndjson"])`.
/// https://spark.apache.org/docs/latest/api/python/reference/pyspark.sql/api/pyspark.sql.types.StructType.html
package struct SparkSchemas {
  package static let name = "spark-schemas.json"

  let manifest: ExportManifest

  var value: DataValue {
    .object(
      manifest.parts.map { part, exported in
        .init(
          exported.file,
          Self.schema(FileColumn.all(part, exported).map { ($0.name, type($0)) }))
      })
  }

  package static func schema(_ columns: [(name: String, type: DataValue)]) -> DataValue {
    [
      "type": "struct",
      "fields": .array(
        columns.map { ["name": .text($0.name), "type": $0.type, "nullable": true, "metadata": .object([])] }),
    ]
  }

  package static let listOfTexts: DataValue = [
    "type": "array", "elementType": "string", "containsNull": true,
  ]

  /// A column of texts takes whatever else there is as JSON.
  private func type(_ column: FileColumn) -> DataValue {
    switch column.kinds {
    case .bool: "boolean"
    case .integer: "long"
    case .real: "double"
    case [.real, .integer] where column.isReal: "double"
    case .date, .impossibleDate, [.date, .impossibleDate]: "timestamp"
    case .list where manifest.format != .csv: Self.listOfTexts
    default: "string"
    }
  }
}

/// A column as a program finds it in a file.
private struct FileColumn {
  var name: String
  var kinds: ValueKinds
  /// Whether it was declared for fractions. In any other column one stray fraction must not round all large numbers.
  var isReal: Bool

  static func all(_ part: ExportPart, _ exported: ExportedPart) -> [FileColumn] {
    zip(part.columns, exported.kinds).flatMap { column, kinds -> [FileColumn] in
      let declared = ValueKinds.declared(column.type)
      let own = FileColumn(
        name: column.name, kinds: kinds.isEmpty ? declared : kinds, isReal: declared == .real)
      guard kinds.contains(.impossibleDate) else { return [own] }
      return [own, FileColumn(name: column.name + ".raw", kinds: .real, isReal: true)]
    }
  }
}
