import Base
import SQLite

/// Reads the parts of a report one by one: what is damaged or too large is listed, and the rest is read all the same.
struct PartReader {
  private let privacy: ReportPrivacy
  /// A sentence per part that is missing.
  private(set) var problems: [String] = []

  init(_ privacy: ReportPrivacy) { self.privacy = privacy }

  /// - Parameter name: in the plural, as a sentence begins with it.
  /// - Returns: nil if the part can't be read.
  mutating func read<Part>(_ name: String, _ body: () throws -> Part) throws -> Part? {
    do { return try body() } catch let error as SQLiteError where !error.isInterrupt {
      add(name, error)
    } catch let error as StoreScopeError {
      // It says by itself what it is about.
      problems.append(privacy.sentence(Sentence.ended(error.description)))
    }
    return nil
  }

  mutating func add(_ name: String, _ error: SQLiteError) {
    problems.append(privacy.sentence(Sentence.ended("\(name) can't be read: \(error.message)")))
  }
}
