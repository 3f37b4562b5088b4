import Containers
import SystemCalls
import Values

/// What a folder is a part of, and whose it is.
struct Whereabouts {
  private(set) var container: FoundPlace.Container = .folder
  private(set) var owner: Owner = .nobody
  private(set) var appVersion: String?
  private(set) var device: String?

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
  func entering(_ folder: String, _ names: [String]) -> Whereabouts {
    var inner = self
    inner.container = Self.container(of: folder, names) ?? container
    if Self.isSimulator(names) { inner.device = SimulatorDevice(ofFolder: folder)?.name }
    inner.owner = Self.owner(of: folder, names) ?? owner
    if inner.container == .xcappdata, ContainerOwner.fileNames.contains(where: names.contains) {
      inner.appVersion = ContainerOwner.appVersion(ofFolder: folder) ?? appVersion
    }
    return inner
  }

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
}
