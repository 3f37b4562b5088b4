import Lens
import SQLite
import StoreModel

/// Conditions that SQLite runs and that find nothing, as they mean something other than people do.
extension SQLHabits {
  /// What is said where nothing was found, and why if a habit may be the reason.
  static func emptyText(_ sql: String, _ none: String, in store: CoreDataStore) -> String {
    guard !sql.isEmpty, sql.utf8.count < longest else { return "(\(none))" }
    let habits = SQLHabits(tokens: StatementTokens(sql))
    let columns = DateOrder.columns(of: store)
    let archives = archives(of: store)
    let reason = habits.tokens.all.indices.lazy.compactMap { index in
      habits.missedPattern(at: index) ?? habits.missedArchive(at: index, archives)
        ?? habits.missedColumn(at: index, columns.dates.union(columns.others))
        ?? habits.missedDay(at: index, columns.dates) ?? habits.missedDays(at: index, columns.dates)
    }.first
    return "(\(none)\(reason.map { ": " + $0 } ?? ""))"
  }

  /// Columns with archives and other data, in lower case.
  private static func archives(of store: CoreDataStore) -> Set<String> {
    var (data, others) = (Set<String>(), Set<String>())
    for entity in store.schema.entities {
      let leaves = entity.attributes.flatMap(\.leaves)
      for (property, name) in View.entityColumns(of: entity) {
        let isData = leaves.contains { $0.path == property && $0.holdsData }
        if isData { data.insert(name.lowercased()) } else { others.insert(name.lowercased()) }
      }
    }
    return data.subtracting(others)
  }

  /// `companions LIKE '%Ann%'` looks at the bytes of an archive.
  private func missedArchive(at index: Int, _ archives: Set<String>) -> String? {
    guard tokens.isName(index), archives.contains(tokens.all[index].text.lowercased()) else { return nil }
    let name = tokens.source(index...index)
    let other = tokens.text(index + 1) == "not" ? index + 2 : index + 1
    guard ["like", "glob", "=", "=="].contains(tokens.text(other)), let value = text(other + 1) else {
      return nil
    }
    let isGlob = tokens.text(other) == "glob"
    let pattern = isGlob || value.contains("%") ? value : "%\(value)%"
    return
      "\(name) is stored as an archive, or as other data, and is compared by its bytes; to look into what it decodes to, write blob_json(\(name)) \(isGlob ? "GLOB" : "LIKE") \(quotedText(pattern))"
  }

  private func missedPattern(at index: Int) -> String? {
    let hasStar = text(index + 1).map { $0.contains("*") && !$0.contains("%") } == true
    return tokens.text(index) == "like" && hasStar
      ? "LIKE takes % for any text, and * is an asterisk" : nil
  }

  /// `'title' = 'x'` compares two texts.
  private func missedColumn(at index: Int, _ columns: Set<String>) -> String? {
    guard let comparison = tokens.comparison(at: index), comparison.left.count == 1,
      tokens.kind(comparison.left.lowerBound) == .string, let name = text(comparison.left.lowerBound),
      columns.contains(name.lowercased()),
      comparison.others.allSatisfy({ $0.count == 1 && !tokens.isName($0.lowerBound) })
    else { return nil }
    return "\(quotedText(name)) in single quotes is text; leave the quotes out to compare the property"
  }

  /// `date BETWEEN '2026-03-20' AND '2026-03-20'` is that midnight.
  private func missedDays(at index: Int, _ dates: Set<String>) -> String? {
    guard tokens.text(index) == "between", let left = tokens.operand(endingAt: index - 1),
      dates.contains(tokens.all[left.upperBound].text), let day = text(index + 1), day == text(index + 3),
      day.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil
    else { return nil }
    let name = tokens.source(left)
    return
      "\(name) BETWEEN '\(day)' AND '\(day)' is midnight only; write date(\(name)) = '\(day)' for the whole day"
  }

  /// `date = '2026-03-20'` is midnight, and a minute is its first second.
  private func missedDay(at index: Int, _ dates: Set<String>) -> String? {
    guard ["=", "=="].contains(tokens.text(index)), let comparison = tokens.comparison(at: index),
      let other = comparison.others.first, other.count == 1, tokens.kind(other.lowerBound) == .string,
      let day = text(other.lowerBound), dates.contains(tokens.all[comparison.left.upperBound].text),
      tokens.isNameChain(comparison.left)
    else { return nil }
    let name = tokens.source(comparison.left)
    if day.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil {
      return "\(name) = '\(day)' is midnight only; write date(\(name)) = '\(day)' for the whole day"
    }
    guard let minute = day.wholeMatch(of: /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)/) else { return nil }
    return
      "\(name) = '\(day)' is its first second only; write strftime('%Y-%m-%d %H:%M', \(name)) = '\(minute.1) \(minute.2)' for the whole minute"
  }
}
