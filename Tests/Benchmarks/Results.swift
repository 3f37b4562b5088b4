import Base

/// What was measured, by job and size. In a file it outlives the run, so that a page can be made of several: ratios of one,
/// on a machine that does nothing else, and memory of the largest stores of another.
struct Results {
  private(set) var comparisons: [String: [Int: Comparison]] = [:]
  /// Of each run.
  private(set) var conditions: [String] = []
  private let file: String?

  /// The size of what is measured at one size only.
  static let only = 0

  var sizes: [Int] { Set(comparisons.values.flatMap(\.keys)).subtracting([Self.only]).sorted() }

  /// - Parameter file: where earlier results are, if there are any, and later ones go; nil for none.
  init(file: String?) throws {
    self.file = file
    guard let file, Files.exists(file) else { return }
    let text = String(decoding: try FileReader.bytes(of: file, limit: 1 << 24), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if fields.count == 1 {
        if !conditions.contains(fields[0]) { conditions.append(fields[0]) }
      } else if fields.count > 2, let size = Int(fields[1]), let comparison = Comparison(fields.dropFirst(2))
      {
        comparisons[fields[0], default: [:]][size] = comparison
      } else {
        throw StoreScopeError(.invalid, "'\(file)' isn't what '--results' writes: \(line.prefix(100))")
      }
    }
  }

  mutating func add(conditions text: String) throws {
    guard !conditions.contains(text) else { return }
    conditions.append(text)
    try append(text)
  }

  /// - Parameter size: nil for a job of one size only.
  mutating func add(_ comparison: Comparison, of job: String, at size: Int? = nil) throws {
    let size = size ?? Self.only
    comparisons[job, default: [:]][size] = comparison
    try append(([job, String(size)] + comparison.fields).joined(separator: "\t"))
  }

  private func append(_ line: String) throws {
    guard let file else { return }
    guard let output = OpenFile(file, for: .appending), output.write(line + "\n") else {
      throw StoreScopeError(.unwritable, "'\(file)' can't be written")
    }
  }
}
