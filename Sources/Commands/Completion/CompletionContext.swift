import Diagnostics
import Explanations
import Lens
import QueryCatalog

/// The words that completion offers: what the program knows, what the user saved, and what the store holds.
package struct CompletionContext: Sendable {
  package struct Entity: Sendable, Equatable {
    package var name: String
    /// Attributes, a composite's as `composite.leaf`.
    package var attributes: [String]
    /// The columns of its view.
    package var columns: [String]

    package init(name: String, attributes: [String], columns: [String]) {
      self.name = name
      self.attributes = attributes
      self.columns = columns
    }
  }

  package struct Table: Sendable, Equatable {
    package var name: String
    package var columns: [String]

    package init(name: String, columns: [String]) {
      self.name = name
      self.columns = columns
    }
  }

  /// A rule or a saved query, with its thresholds or parameters.
  package struct Named: Sendable, Equatable {
    package var name: String
    package var parameters: [String]

    package init(name: String, parameters: [String]) {
      self.name = name
      self.parameters = parameters
    }
  }

  package struct File: Sendable, Equatable {
    package var name: String
    package var isFolder: Bool

    package init(_ name: String, isFolder: Bool = false) {
      self.name = name
      self.isFolder = isFolder
    }
  }

  package var entities: [Entity] = []
  package var authors: [String] = []
  package var zones: [String] = []
  /// What SQL can ask by the model's names, and the store's own tables.
  package var views: [Table] = []
  package var tables: [Table] = []
  /// Tables of the mirror and of history, by their names in SQL and as the framework's entities.
  package var frameworkTables: [String] = []
  package var rules: [Named] = []
  package var queries: [Named] = []
  /// What `explain` explains.
  package var subjects: [String] = []
  /// What lies in a folder; nothing where it can't be read.
  package var files: @Sendable (String) -> [File] = { _ in [] }

  package init() {}

  /// What is known without a store.
  package static func withoutStore() -> CompletionContext {
    var context = CompletionContext()
    context.rules = RuleRegistry.all.map {
      Named(name: $0.id, parameters: $0.header.thresholds.map(\.name))
    }
    // A query that can't be read is a matter for `query`, which says so.
    context.queries = ((try? SavedQueries.all()) ?? QueryCatalog.all).map {
      Named(name: $0.name, parameters: $0.parameters.map(\.name))
    }
    context.subjects = ExplanationCatalog.all.flatMap(\.completions)
    context.files = { FolderListing.files(in: $0) }
    return context
  }

  func entity(named name: String) -> Entity? {
    entities.first { $0.name == name } ?? entities.first { $0.name.lowercased() == name.lowercased() }
  }
}

extension Explanation {
  /// Its code, as short as it is clear, and its name.
  fileprivate var completions: [String] {
    guard let domain, let code else { return [subject] }
    let number = domain == "NSCocoaErrorDomain" ? "\(code)" : "\(domain):\(code)"
    return name == Self.unnamed ? [number] : [number, name]
  }
}
