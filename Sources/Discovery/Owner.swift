import Containers
package import Values

/// The app or the group of apps to which a store belongs.
package enum Owner: Sendable, Equatable {
  case app(String), group(String), nobody

  package var app: String? { if case .app(let name) = self { name } else { nil } }
  package var group: String? { if case .group(let name) = self { name } else { nil } }
  package var name: String? { app ?? group }

  /// For machines.
  package var members: [DataValue.Member] {
    [.init("app", .optional(app)), .init("group", .optional(group))]
  }

  /// Reads them.
  init(_ value: DataValue) {
    self = value["app"]?.text.map(Owner.app) ?? value["group"]?.text.map(Owner.group) ?? .nobody
  }

  /// From a container's own note: groups have names like `group.com.example`.
  init(identifier: String?, isGroup: Bool = false) {
    self = identifier.map { isGroup || $0.hasPrefix("group.") ? .group($0) : .app($0) } ?? .nobody
  }

  /// A backup's: `AppDomain-com.example.Journeys`, `AppDomainGroup-group.com.example`, `AppDomainPlugin-com.example.Widget`
  static func ofDomain(_ domain: String) -> Owner {
    guard let dash = domain.firstIndex(of: "-") else { return .nobody }
    let name = String(domain[domain.index(after: dash)...])
    switch domain[..<dash] {
    case "AppDomainGroup": return .group(name)
    case "AppDomain", "AppDomainPlugin": return .app(name)
    default: return .nobody
    }
  }

  /// On a Mac the container itself has the name; nil for other folders.
  static func ofMacContainer(_ folder: String) -> Owner? {
    let names = Array(PathText.names(folder).reversed().prefix(3))
    return switch names.dropFirst().first {
    // A device has folders of that name, too.
    case "Containers" where names.last == "Library": .app(names[0])
    case "Group Containers": .group(names[0])
    default: nil
    }
  }

  /// By the folders above a file, the nearest first.
  /// - Parameter noted: identifiers by the folder that they are noted in.
  init(ofFileAt path: String, noted: [String: String]) {
    var rest = path
    while let folder = PathText.split(rest).folder {
      rest = folder
      if let name = noted[folder] {
        self.init(identifier: name, isGroup: PathText.names(folder).dropLast().last == "AppGroup")
        return
      }
      if let owner = Self.ofMacContainer(folder) {
        self = owner
        return
      }
    }
    // What lies at the top of an archive that is one container.
    self.init(identifier: noted[""])
  }
}
