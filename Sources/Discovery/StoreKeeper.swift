import Containers
import SystemCalls
import Values

/// Whose a store is, by its place alone: for one that somebody named, and no search found.
package struct StoreKeeper: Sendable {
  package let owner: Owner
  /// The simulator that it is in, as people know it.
  package let device: String?
  /// What it is in, as far as that can be changed in place: a folder for everything else.
  package let container: FoundPlace.Container

  /// - Parameter address: a store's path, or its address in a container.
  package init(of address: String) {
    guard let address = StoreAddress(address) else {
      let around = Whereabouts(above: address)
      (owner, device, container) = (around.owner, around.device, around.container)
      return
    }
    (owner, device, container) = (Self.owner(address), nil, .folder)
  }

  private init(_ owner: Owner, _ device: String?, _ container: FoundPlace.Container) {
    (self.owner, self.device, self.container) = (owner, device, container)
  }

  /// For those who may see no values: a person chose the device's name, and it is often theirs.
  package var withoutDevice: StoreKeeper { StoreKeeper(owner, nil, container) }

  private static func owner(_ address: StoreAddress) -> Owner {
    let path = address.insides.last?.path ?? address.path
    if DeviceBackup.isBackup(address.container) || DeviceBackup.beginsWithDomain(path) {
      return .ofDomain(PathText.first(path)?.name ?? "")
    }
    var owners = NotedOwners()
    if address.insides.isEmpty, let archive = try? Archive(address.container), archive.isListed {
      owners = (try? notes(in: archive, above: path)) ?? owners
    }
    return Owner(ofFileAt: path, noted: owners)
  }

  /// Only from an archive that has a list: the others would be read to their end.
  private static func notes(in archive: Archive, above path: String) throws -> NotedOwners {
    var owners = NotedOwners()
    try archive.forEachMember { member in
      guard ContainerOwner.fileNames.contains(Platform.fileName(member.path)), !member.isEncrypted,
        let note = MemberPath.normalized(member.path)
      else { return .never }
      return path.hasPrefix((PathText.split(note).folder.map { $0 + "/" }) ?? "") ? .first : .never
    } _: { member, content in
      guard let note = MemberPath.normalized(member.path) else { return }
      owners.note(
        try ContainerOwner.identifier(content.beginning(ContainerOwner.largest)),
        in: PathText.split(note).folder ?? "")
    }
    return owners
  }
}
