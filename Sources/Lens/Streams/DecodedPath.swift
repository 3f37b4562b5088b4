import SQLite
package import StoreModel
package import Values

/// A member of an attribute's decoded value, as people write it: `mapStyle.scheme`, `companions[0]`.
package struct DecodedPath: Sendable {
  /// The attribute that is decoded, or a composite's leaf.
  package let attribute: SchemaAttribute
  /// The same with the names that the model has.
  package let name: String
  private let steps: [Step]

  private enum Step {
    case member(String)
    case element(Int)
  }

  /// Nil where nothing is decoded: for a property itself, and for what is below one that holds no data.
  package init?(_ text: String, of entities: [SchemaEntity]) {
    let lowercased = text.lowercased()
    let leaves = entities.lazy.flatMap(\.attributes).flatMap(\.leaves)
    guard
      let attribute = leaves.first(where: { leaf in
        let path = leaf.path.lowercased()
        return leaf.holdsData && leaf.column != nil && lowercased.hasPrefix(path)
          && ".[".contains(lowercased.dropFirst(path.count).first ?? " ")
      })
    else { return nil }
    let rest = text.dropFirst(attribute.path.count)
    let matches = rest.matches(of: /\.([^.\[\]]+)|\[(\d+)\]/)
    let steps = matches.compactMap { match -> Step? in
      match.1.map { .member(String($0)) } ?? match.2.flatMap { Int($0) }.map(Step.element)
    }
    // All of it has to be understood: `[-1]` is no element.
    guard !steps.isEmpty, steps.count == matches.count, matches.map({ rest[$0.range] }).joined() == rest
    else {
      return nil
    }
    self.attribute = attribute
    self.steps = steps
    name = attribute.path + rest
  }

  /// Null where the value has no such member.
  package func value(in decoded: DataValue) -> DataValue {
    steps.reduce(decoded) { value, step in
      switch (step, value.content) {
      case (.member(let name), .object(let members)):
        (members.first { $0.name == name } ?? members.first { $0.name.lowercased() == name.lowercased() })?
          .value ?? .null
      case (.element(let index), .array(let elements)):
        elements.indices.contains(index) ? elements[index] : .null
      default: .null
      }
    }
  }

  /// The same in SQL over the entity's view.
  func sql(_ quoted: (String) -> String) -> String {
    let path = steps.map { step in
      switch step {
      case .member(let name): name.wholeMatch(of: /\w+/) != nil ? ".\(name)" : ".\"\(name)\""
      case .element(let index): "[\(index)]"
      }
    }
    return "blob_json(\(quoted(attribute.path))) ->> \(quotedText("$" + path.joined()))"
  }
}

extension SchemaAttribute {
  /// Whether its value is an archive, JSON or other data.
  package var holdsData: Bool { [.binary, .transformable].contains(description.type) }
}

extension DataValue {
  /// A blob's decoded value.
  fileprivate var content: DataValue {
    guard case .blob(let blob) = self else { return self }
    return blob.value ?? .null
  }
}
