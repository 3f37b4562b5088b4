import Base

/// The few parts that people think of, which are the file but for its free pages.
extension StoreSize {
  package enum Group: String, FieldWord, Sendable {
    case objects, history, mirror, other
  }

  package func bytes(of group: Group) -> Int64 {
    tables.reduce(group == .other ? rest.reduce(0) { $0 + $1.bytes } : 0) {
      $0 + ($1.group == group ? $1.all : 0)
    }
  }

  /// Of the indexes that the model has for objects and links.
  package var objectIndexBytes: Int64 {
    tables.reduce(0) { $0 + ($1.group == .objects ? $1.indexBytes : 0) }
  }
}

extension StoreSize.Table {
  package var group: StoreSize.Group {
    switch kind {
    case .entity, .links, .index: .objects
    case .history: .history
    case .mirror: .mirror
    case .other, .free: .other
    }
  }
}
