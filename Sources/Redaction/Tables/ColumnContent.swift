import StoreModel

/// What a column holds, which says what of it is replaced.
enum ColumnContent {
  /// Structure, whatever it is: names of entities, the model.
  case structure
  /// Keys, flags, counts and times: numbers stay, everything else is replaced.
  case state
  /// Attributes of objects, by the number of a row's entity.
  case properties([Int64: Property])
  /// Anything that isn't known.
  case value
  case storeIdentifier
  case metadata
  /// Who wrote to the store, in history.
  case program
  /// The bits of the properties that a change has touched.
  case changedProperties
  /// Texts of the mirror, of which some are names.
  case frameworkText
  case metadataKey
  case archive
  case recordArchive(isTagged: Bool)

  /// An attribute, as far as it matters here.
  enum Property {
    case number, date
    /// `kind` says which Booleans are turned round together.
    case boolean(kind: String)
    case other
    /// Data that may lie in a file.
    case tagged

    init(_ attribute: SchemaAttribute) {
      let description = attribute.description
      switch description.type {
      case .boolean: self = .boolean(kind: "\(attribute.declaredBy) \(attribute.path)")
      case .date: self = .date
      case .binary where description.allowsExternalStorage || description.isFileBackedFuture,
        .transformable where description.allowsExternalStorage || description.isFileBackedFuture:
        self = .tagged
      case .integer16, .integer32, .integer64, .decimal, .double, .float: self = .number
      default: self = .other
      }
    }
  }
}
