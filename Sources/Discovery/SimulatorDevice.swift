import Archives
import SystemCalls

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
