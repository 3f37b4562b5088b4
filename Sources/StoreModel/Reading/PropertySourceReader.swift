import Archives
import Base

/// Reads the attributes and relationships of a model's XML.
struct PropertySourceReader {
  /// What could not be understood, one clause each.
  var problems = ProblemList()
  private let composites: [String: XMLElement]
  // Composites may hold composites: cycles would never end, and sharing can multiply a small file.
  private static let depthLimit = 16
  private var budget = 10_000_000

  init(composites: [XMLElement]) {
    self.composites = Dictionary(
      firstOf: composites.compactMap { element in element.attributes["name"].map { ($0, element) } })
  }

  mutating func attribute(
    _ element: XMLElement, of owner: String, depth: Int = 0
  ) throws(ArchiveError) -> AttributeDescription? {
    guard let name = name(of: element, in: owner) else { return nil }
    let type = type(of: element, path: "\(owner).\(name)")
    var attribute = AttributeDescription(name: name, type: type)
    attribute.isOptional = element.isSet("optional")
    attribute.isTransient = element.isSet("transient")
    attribute.isDerived = element.isSet("derived")
    attribute.allowsExternalStorage = element.isSet("allowsExternalBinaryDataStorage")
    attribute.preservesValueOnDeletion = element.isSet("preserveAfterDeletion")
    attribute.allowsCloudEncryption = element.isSet("allowsCloudEncryption")
    attribute.valueTransformerName = element.attributes["valueTransformerName"]
    attribute.valueClassName = element.attributes["customClassName"] ?? type.valueClassName
    attribute.defaultValue = defaultValue(of: element, type: type)
    attribute.userInfo = element.userInfo
    attribute.renamingIdentifier = element.renamingIdentifier
    attribute.versionHashModifier = element.versionHashModifier
    attribute.limits = limits(of: element, type: type)
    attribute.hasOtherPredicates = element.attributes["regularExpressionString"] != nil
    if type == .composite {
      attribute.elements = try elements(of: element, path: "\(owner).\(name)", depth: depth)
    }
    return attribute
  }

  mutating func relationship(_ element: XMLElement, of owner: String) -> RelationshipDescription? {
    guard let name = name(of: element, in: owner) else { return nil }
    guard let destination = element.attributes["destinationEntity"] else {
      problems.report("\(owner).\(name) has no destination and was left out")
      return nil
    }
    var rule = RelationshipDescription.DeleteRule.nullify
    switch element.attributes["deletionRule"] {
    case "Nullify", nil: break
    case "Cascade": rule = .cascade
    case "Deny": rule = .deny
    case "No Action": rule = .noAction
    case let other?: problems.report("\(owner).\(name) has the unknown deletion rule \(other)")
    }
    let isToMany = element.isSet("toMany")
    return RelationshipDescription(
      name: name, destination: destination, inverse: element.attributes["inverseName"], isToMany: isToMany,
      isOrdered: element.isSet("ordered"), isOptional: element.isSet("optional"),
      isTransient: element.isSet("transient"), deleteRule: rule,
      minCount: element.attributes["minCount"].flatMap(Int.init) ?? 0,
      maxCount: isToMany ? element.attributes["maxCount"].flatMap(Int.init) : 1,
      userInfo: element.userInfo, renamingIdentifier: element.renamingIdentifier,
      versionHashModifier: element.versionHashModifier)
  }

  private mutating func name(of element: XMLElement, in owner: String) -> String? {
    guard let name = element.attributes["name"], !name.isEmpty else {
      problems.report("\(owner) has an element <\(element.name)> without a name")
      return nil
    }
    return name
  }

  private mutating func type(of element: XMLElement, path: String) -> AttributeType {
    guard let text = element.attributes["attributeType"] else { return .undefined }
    guard let type = AttributeType(name: text) else {
      problems.report("\(path) has the unknown type \(text)")
      return .undefined
    }
    return type
  }

  private mutating func elements(
    of element: XMLElement, path: String, depth: Int
  ) throws(ArchiveError) -> [AttributeDescription] {
    guard let name = element.attributes["composite"], let composite = composites[name] else {
      problems.report("\(path) refers to a composite that isn't in the model")
      return []
    }
    guard depth < Self.depthLimit else {
      problems.report("\(path) has composites nested too deeply")
      return []
    }
    var elements: [AttributeDescription] = []
    for child in composite.children(named: "attribute") {
      budget -= 64 + path.utf8.count
      guard budget > 0 else { throw ArchiveError("its composites have too many elements") }
      if let element = try attribute(child, of: path, depth: depth + 1) { elements.append(element) }
    }
    return elements
  }

  /// The editor calls a text's least and greatest length its minimum and maximum value, too.
  private func limits(of element: XMLElement, type: AttributeType) -> [ValueLimit] {
    let names =
      type == .date ? ("minDateTimeInterval", "maxDateTimeInterval") : ("minValueString", "maxValueString")
    func limit(_ name: String, _ comparison: ValueLimit.Comparison) -> ValueLimit? {
      guard let number = element.attributes[name].flatMap({ Double($0) }), number.isFinite else { return nil }
      return ValueLimit(
        subject: type == .string ? .length : .value, comparison: comparison, number: number)
    }
    return [limit(names.0, .atLeast), limit(names.1, .atMost)].compactMap(\.self)
  }

  private func defaultValue(of element: XMLElement, type: AttributeType) -> DataValue? {
    if type == .date {
      return element.attributes["defaultDateTimeInterval"].flatMap { Double($0) }
        .map { DataValue.date(CoreDataDate(seconds: $0)) }
    }
    guard let text = element.attributes["defaultValueString"], type == .string || !text.isEmpty else {
      return nil
    }
    // Whatever stands there is a default, even if it can't be read as one of that type.
    let value: DataValue? =
      switch type {
      case .boolean: .bool(Self.number(text).map { $0 != 0 } ?? false)
      case .integer16, .integer32, .integer64:
        (Int64(text) ?? Self.number(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }).map(
          DataValue.integer)
      case .double: Self.number(text).map(DataValue.real)
      // The compiler keeps what the float can hold.
      case .float: Self.number(text).map { .real(Double(Float($0))) }
      default: nil
      }
    return value ?? .text(text)
  }

  /// An attribute that was Boolean before keeps "YES" or "NO" when its type changes, and a real one its fraction.
  private static func number(_ text: String) -> Double? {
    switch text.lowercased() {
    case "yes", "true": 1
    case "no", "false": 0
    default: Double(text)
    }
  }
}

extension XMLElement {
  /// A model's XML writes truth as YES and leaves falsehood out.
  func isSet(_ attribute: String) -> Bool { attributes[attribute] == "YES" }

  var userInfo: [String: String] {
    var userInfo: [String: String] = [:]
    for entry in children(named: "userInfo").flatMap({ $0.children(named: "entry") }) {
      if let key = entry.attributes["key"] { userInfo[key] = entry.attributes["value"] ?? "" }
    }
    return userInfo
  }

  /// The name before a renaming; nil where the property keeps its own. Xcode calls it `elementID`.
  var renamingIdentifier: String? {
    let identifier = attributes["elementID"] ?? attributes["renamingIdentifier"]
    return identifier == attributes["name"] ? nil : identifier
  }

  var versionHashModifier: String? { attributes["versionHashModifier"].flatMap { $0.isEmpty ? nil : $0 } }
}
