import SystemCalls

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
