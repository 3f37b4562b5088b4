import Archives
import Base
import Lens

/// Property lists and keyed archives with the same structure and other values.
///
/// Of an archived object the class and the names of its fields stay: they are the program's. Keys of dictionaries are
/// values.
struct ArchiveMarks {
  /// What an archive is, which says what of it is state.
  enum Content {
    /// The app's.
    case values
    /// Stores with numbers of transactions.
    case historyToken
    /// CloudKit's record or share, with or without fields: what stands at its top is state, the rest values.
    case record
  }

  private let marks: ValueMarks
  private let depth: Int
  private let content: Content
  /// Places in `$objects` that stay as they are.
  private var kept: Set<UInt64> = []

  init(_ marks: ValueMarks, depth: Int = 0, content: Content = .values) {
    self.marks = marks
    self.depth = depth
    self.content = content
  }

  /// Nil where the bytes can't be decoded.
  func propertyList(_ bytes: [UInt8]) -> [UInt8]? {
    guard let list = (try? BinaryPropertyList.read(bytes)) ?? (try? XMLPropertyList.read(bytes)) else {
      return nil
    }
    guard list["$archiver"] != nil else { return BinaryPropertyList.write(value(list)) }
    var redactor = self
    if content == .values, (try? HistoryToken(archive: bytes)) != nil {
      redactor = ArchiveMarks(marks, depth: depth, content: .historyToken)
    }
    return redactor.archive(list).map { BinaryPropertyList.write($0) }
  }

  // MARK: Keyed archives

  private mutating func archive(_ list: PropertyList) -> PropertyList? {
    guard let dictionary = list.dictionary, let objects = list["$objects"]?.array,
      let top = list["$top"]?.dictionary
    else { return nil }
    if content == .record { keepTimes(top, objects) }
    return .dictionary(
      PropertyListDictionary(
        dictionary.entries.map { entry in
          let value: PropertyList =
            switch entry.key {
            case "$objects":
              .array(withBooleans(objects, objects.enumerated().map { object($1, at: UInt64($0)) }))
            case "$top": .dictionary(fields(top, isTop: true))
            case "$archiver" where entry.value.string == "NSKeyedArchiver": entry.value
            case "$version" where Self.isNumber(entry.value): entry.value
            default: self.value(entry.value)
            }
          return .init(entry.key, value)
        }))
  }

  /// When the server has made and changed the record is state, whether it stands in a field or in an object.
  private mutating func keepTimes(_ top: PropertyListDictionary, _ objects: [PropertyList]) {
    var holders = [top]
    if case .uid(let root) = top["root"], root < objects.count, let object = objects[Int(root)].dictionary {
      holders.append(object)
    }
    for key in RecordSystemFields.timeKeys {
      for holder in holders { if case .uid(let place) = holder[key] { kept.insert(place) } }
    }
  }

  /// A record's fields have numbers for Booleans, and objects of an archive are shared: those of fields that the model
  /// calls Boolean get objects of their own, flipped as the object's are, so that both stay equal or different.
  private func withBooleans(_ objects: [PropertyList], _ marked: [PropertyList]) -> [PropertyList] {
    guard content == .record else { return marked }
    func target(_ list: PropertyList) -> PropertyList? {
      guard case .uid(let place) = list, place < objects.count else { return nil }
      return objects[Int(place)]
    }
    var result = marked
    for (place, object) in objects.enumerated() {
      guard let keys = object["NS.keys"]?.array?.map({ target($0)?.string }),
        let values = object["NS.objects"]?.array, values.count == keys.count,
        let entity = keys.firstIndex(of: "CD_entityName").flatMap({ target(values[$0])?.string }),
        let kinds = marks.booleans[entity], let entries = marked[place].dictionary?.entries
      else { continue }
      var references = values
      for (index, key) in keys.enumerated() {
        guard let kind = key.flatMap({ kinds[$0] }), let number = target(values[index])?.integer,
          0...1 ~= number
        else { continue }
        references[index] = .uid(UInt64(result.count))
        result.append(.integer(marks.bool(number == 1, kind: kind) ? 1 : 0))
      }
      result[place] = .dictionary(
        PropertyListDictionary(
          entries.map { $0.key == "NS.objects" ? .init($0.key, .array(references)) : $0 }))
    }
    return result
  }

  private func object(_ list: PropertyList, at place: UInt64) -> PropertyList {
    if place == 0 && list.string == "$null" || kept.contains(place) { return list }
    guard let dictionary = list.dictionary else { return value(list) }
    if dictionary["$classname"] != nil {
      return .dictionary(
        PropertyListDictionary(dictionary.entries.filter { Self.classKeys.contains($0.key) }))
    }
    return .dictionary(fields(dictionary, isTop: false))
  }

  private func fields(_ dictionary: PropertyListDictionary, isTop: Bool) -> PropertyListDictionary {
    PropertyListDictionary(
      dictionary.entries.map { entry in
        if isTop, content == .record, Self.isNumber(entry.value) { return entry }
        if entry.key == "NS.time", case .real(let seconds) = entry.value {
          return .init(entry.key, .real(marks.date(seconds)))
        }
        return .init(entry.key, value(entry.value))
      })
  }

  /// What a class is described by; nothing else stands there.
  private static let classKeys: Set = ["$classname", "$classes", "$classhints"]

  private static func isNumber(_ list: PropertyList) -> Bool {
    switch list {
    case .bool, .integer, .unsigned, .real, .date: true
    default: false
    }
  }

  // MARK: Values

  func value(_ list: PropertyList) -> PropertyList {
    switch list {
    case .null, .uid: list
    case .string(let text): .string(self.text(text))
    case .data(let bytes): .data(marks.data(bytes, depth: depth + 1))
    case .date(let date): .date(CoreDataDate(seconds: marks.date(date.seconds)))
    case _ where content == .historyToken && Self.isNumber(list): list
    case .bool(let value): .bool(marks.bool(value, kind: "archive"))
    case .integer(let value): .integer(marks.number(value))
    case .unsigned(let value): .integer(marks.number(Int64(truncatingIfNeeded: value)))
    case .real(let value): .real(marks.number(value))
    case .array(let elements): .array(elements.map(value))
    case .set(let elements): .set(elements.map(value))
    case .dictionary(let dictionary):
      .dictionary(
        PropertyListDictionary(dictionary.entries.map { .init(text($0.key), value($0.value)) }))
    }
  }

  private func text(_ text: String) -> String {
    switch content {
    case .values: marks.text(text)
    case .historyToken: marks.uris.store(text)
    case .record: marks.frameworkText(text)
    }
  }
}

/// JSON with the same structure and other values; what an object calls its members counts as values too.
struct JSONMarks {
  private let marks: ValueMarks

  init(_ marks: ValueMarks) { self.marks = marks }

  /// Nil where the bytes can't be decoded.
  func json(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let value = try? JSONReader.read(bytes) else { return nil }
    var written: [UInt8] = []
    let output = OutputBuffer(capacity: 4096) { bytes in
      written += bytes
      return true
    }
    JSONWriter(output).value(marked(value))
    output.flush()
    return written
  }

  private func marked(_ value: DataValue) -> DataValue {
    switch value {
    case .null, .blob: value
    case .text(let text): .text(marks.text(text))
    case .bool(let bool): .bool(marks.bool(bool, kind: "json"))
    case .integer(let integer): .integer(marks.number(integer))
    case .real(let real): .real(marks.number(real))
    case .date(let date): .date(CoreDataDate(seconds: marks.date(date.seconds)))
    case .array(let elements): .array(elements.map(marked))
    case .object(let members): .object(members.map { .init(marks.text($0.name), marked($0.value)) })
    }
  }
}
