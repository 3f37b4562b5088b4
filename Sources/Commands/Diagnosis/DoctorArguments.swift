import Diagnostics
import Lens
import Rendering
import SQLite
import SystemCalls
import Values

/// What the words typed behind `doctor` and `rules` mean.
enum DoctorArguments {
  /// All rules where none is named, with those on request if they are asked for.
  static func rules(_ ids: [String], validates: Bool) throws(UsageError) -> [Rule] {
    for id in ids { _ = try rule(id) }
    let known = RuleRegistry.all + RuleRegistry.onRequest
    guard ids.isEmpty else {
      return known.filter { rule in
        ids.contains(rule.id) || (validates && RuleRegistry.onRequest.contains { $0.id == rule.id })
      }
    }
    return validates ? known : RuleRegistry.all
  }

  static func rule(_ id: String) throws(UsageError) -> Rule {
    guard let rule = RuleRegistry.rule(id) else {
      let ids = (RuleRegistry.all + RuleRegistry.onRequest).map(\.id)
      let word = id.lowercased()
      let named = word.isEmpty ? [] : ids.filter { $0.split(separator: "-").contains { $0.hasPrefix(word) } }
      let suggestion =
        switch named.count {
        case 0: Suggestion.sentence(for: ids.first { $0.hasPrefix(word) } ?? id, in: ids)
        case 1: Suggestion.question(named[0])
        default: " Rules with that word: \(named.joined(separator: ", "))."
        }
      throw .conflict("There is no rule '\(id)'.\(suggestion) 'storescope rules' lists them.")
    }
    return rule
  }

  /// `history-bloat.days=30`
  static func settings(_ words: [String]) throws(UsageError) -> [String: Double] {
    var settings: [String: Double] = [:]
    for word in words {
      let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = sides[0].split(separator: ".", omittingEmptySubsequences: false)
      guard sides.count == 2, name.count == 2, let value = Double(String(sides[1])), value.isFinite else {
        throw .conflict("'--set' takes RULE.NAME=NUMBER, such as history-bloat.days=30, not '\(word)'.")
      }
      let rule = try rule(String(name[0]))
      let names = rule.header.thresholds.map(\.name)
      guard names.contains(String(name[1])) else {
        let known = names.isEmpty ? "It has none." : "It has: \(names.joined(separator: ", "))."
        throw .conflict("The rule '\(rule.id)' has no threshold '\(name[1])'. \(known)")
      }
      settings[String(sides[0])] = value
    }
    return settings
  }

  /// How the mirror stands, nil without one; or why that can't be found out.
  static func mirror(of open: OpenStore) throws -> (summary: MirrorSummary?, problem: String?) {
    do { return (try open.mirror().map(MirrorSummary.init), nil) } catch let error as SQLiteError
      where error.isInterrupt
    {
      throw error
    } catch { return (nil, Doctor.sentence(error)) }
  }

  private static let baselineLimit = 64 << 20

  static func baseline(_ path: String) throws -> BaselineFile {
    let bytes = try FileReader.bytes(of: path, limit: baselineLimit)
    return try BaselineFile(json: String(decoding: bytes, as: UTF8.self), path: path)
  }

  /// Replaces a baseline, of several stores only the parts of those checked; anything else that bears the name stays, the
  /// stores above all.
  static func writeBaseline(
    of reports: [DoctorDocument], to path: String, keeping stores: [String]
  ) throws {
    for store in stores { try StoreFileGuard.check(path, keeping: store) }
    var former: BaselineFile?
    if FileReader.kind(of: path) != nil {
      former = try? self.baseline(path)
      guard former != nil else {
        throw StoreScopeError(
          .occupied, path, "already exists and isn't a baseline, so it was left alone",
          advice: "choose another name for --write-baseline")
      }
    }
    let baseline = BaselineFile(
      reports.map { ($0.identity.path, $0.identity.uuid, $0.diagnosis) }, replacing: former)
    // Its marks are hashes of names and keys, which can be guessed.
    let rights = stores.reduce(FileRights.ordinary) {
      $0.intersection(FileRights(like: StoreSource.file(of: $1)))
    }
    try FileWriter.write(JSONText.compact(baseline.value) + "\n", to: path, rights: rights)
  }
}
