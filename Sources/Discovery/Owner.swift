package import Base
import Evidence

/// The app or the group of apps to which a store belongs.
package enum Owner: Sendable, Equatable {
  case app(String), group(String), nobody

  package var app: String? { if case .app(let name) = self { name } else { nil } }
  package var group: String? { if case .group(let name) = self { name } else { nil } }
  package var name: String? { app ?? group }

  package static let fields: [Field<Self>] = [
    Field("app", "the app's bundle identifier, if the place shows it") { $0.app },
    Field("group", "the app group, if the place shows it") { $0.group },
  ]

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
  /// - Parameter folder: the names on the way to it, with its own.
  static func ofMacContainer(_ folder: [String]) -> Owner? {
    guard let name = folder.last else { return nil }
    let above = folder.suffix(3).dropLast()
    return switch above.last {
    // A device has folders of that name, too.
    case "Containers" where above.first == "Library": .app(name)
    case "Group Containers": .group(name)
    default: nil
    }
  }

  /// By the folders above a file, the nearest first.
  init(ofFileAt path: String, noted: NotedOwners) {
    // What lies at the top of an archive that is one container.
    var owner = Owner(identifier: noted.identifier)
    var (notes, folder) = (Optional(noted), [String]())
    for name in PathText.names(path).dropLast() {
      notes = notes?.inner[name]
      folder.append(name)
      if let identifier = notes?.identifier {
        owner = Owner(identifier: identifier, isGroup: folder.dropLast().last == "AppGroup")
      } else if let container = Self.ofMacContainer(folder) {
        owner = container
      }
    }
    self = owner
  }
}

/// Identifiers of containers by the folders that they are noted in. A tree, as one walk down it meets all folders above a file:
/// to look each of them up by its path takes time that grows with the square of the path.
struct NotedOwners {
  fileprivate private(set) var identifier: String?
  fileprivate private(set) var inner: [String: NotedOwners] = [:]

  mutating func note(_ identifier: String?, in folder: String) {
    note(identifier, in: PathText.names(folder)[...])
  }

  private mutating func note(_ identifier: String?, in names: ArraySlice<String>) {
    guard let name = names.first else { return self.identifier = identifier }
    inner[name, default: NotedOwners()].note(identifier, in: names.dropFirst())
  }
}
