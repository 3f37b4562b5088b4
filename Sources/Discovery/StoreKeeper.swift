import Archives
import Base
import Evidence

/// Whose a store is, and what it is in, by its place alone.
package struct StoreKeeper: Sendable {
  package private(set) var owner: Owner = .nobody
  /// The simulator that it is in, as people know it.
  package private(set) var device: String?
  /// What it is in, as far as that can be changed in place: a folder for everything else.
  package private(set) var container: FoundPlace.Container = .folder
  private(set) var appVersion: String?

  /// Of a store that somebody named, and no search found.
  /// - Parameter address: its path, or its address in a container.
  package init(of address: String) {
    guard let address = StoreAddress(address) else {
      self = StoreKeeper(above: address)
      return
    }
    owner = Self.owner(address)
  }

  /// Of what lies at a path, as the folders above it show.
  init(above path: String) {
    var folders: [String] = []
    var rest = Platform.withoutLastSlashes(Platform.absolutePath(path))
    while let folder = PathText.split(rest).folder, !folder.isEmpty {
      folders.append(folder)
      rest = folder
    }
    for folder in folders.reversed() {
      // They aren't listed: a home folder may have anything.
      self = entering(folder, Self.marks.filter { Files.exists("\(folder)/\($0)") })
    }
  }

  private static let marks = ContainerOwner.fileNames + [SimulatorDevice.fileName, "data"]

  /// The same in one of its folders.
  func entering(_ folder: String, _ names: [String]) -> StoreKeeper {
    var inner = self
    inner.container = Self.container(of: folder, names) ?? container
    if Self.isSimulator(names) { inner.device = SimulatorDevice(ofFolder: folder)?.name }
    inner.owner = Self.owner(of: folder, names) ?? owner
    if inner.container == .xcappdata, ContainerOwner.fileNames.contains(where: names.contains) {
      inner.appVersion = ContainerOwner.appVersion(ofFolder: folder) ?? appVersion
    }
    return inner
  }

  /// For those who may see no values: a person chose the device's name, and it is often theirs.
  package var withoutDevice: StoreKeeper {
    var keeper = self
    keeper.device = nil
    return keeper
  }

  // MARK: - Folders

  private static func container(of path: String, _ names: [String]) -> FoundPlace.Container? {
    if path.hasSuffix(".xcappdata") { return .xcappdata }
    return isSimulator(names) ? .simulator : nil
  }

  private static func isSimulator(_ names: [String]) -> Bool {
    names.contains(SimulatorDevice.fileName) && names.contains("data")
  }

  private static func owner(of path: String, _ content: [String]) -> Owner? {
    let names = PathText.names(path)
    let parent = names.dropLast().last
    if ContainerOwner.fileNames.contains(where: content.contains),
      let name = ContainerOwner.identifier(ofFolder: path)
    {
      return Owner(identifier: name, isGroup: parent == "AppGroup")
    }
    return .ofMacContainer(names)
  }

  // MARK: - Containers

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

/// A simulator, as CoreSimulator notes it in the folder that has its data.
struct SimulatorDevice {
  static let fileName = "device.plist"
  private static let largest = 1 << 20
  /// Of a name that people gave.
  private static let longest = 256
  private static let booted: Int64 = 3

  let isBooted: Bool
  /// `iPhone 17 Pro, iOS 26.1`; nil if nothing is noted.
  let name: String?

  /// Nil if the folder has no such file that can be read.
  init?(ofFolder folder: String) {
    guard let bytes = try? FileReader.bytes(of: "\(folder)/\(Self.fileName)", limit: Self.largest),
      let list = try? PropertyList.read(bytes)
    else { return nil }
    isBooted = list["state"]?.integer == Self.booted
    let parts = [list["name"]?.string, list["runtime"]?.string.flatMap(Self.system)].compactMap(\.self)
      .filter { !$0.isEmpty && $0.utf8.count <= Self.longest }
    name = parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// `iOS 26.1`, noted as `com.apple.CoreSimulator.SimRuntime.iOS-26-1`.
  private static func system(_ runtime: String) -> String? {
    let words = runtime.split(separator: ".").last?.split(separator: "-") ?? []
    guard let system = words.first else { return nil }
    return ([String(system)] + (words.count > 1 ? [words.dropFirst().joined(separator: ".")] : []))
      .joined(separator: " ")
  }
}

/// Where a Mac keeps stores: in the simulators that are running, and in the containers of the user's own apps.
package enum UsualPlaces {
  /// Those of them that are there.
  package static func folders(inHome home: String) -> [String] {
    let devices = "\(home)/Library/Developer/CoreSimulator/Devices"
    let simulators = ((try? FileReader.names(in: devices, limit: .max)) ?? []).map { "\(devices)/\($0)" }
    let own = ["Library/Containers", "Library/Group Containers", "Library/Application Support"]
    return simulators.filter { SimulatorDevice(ofFolder: $0)?.isBooted ?? false }
      + own.map { "\(home)/\($0)" }.filter { FileReader.kind(of: $0) == .folder }
  }
}
