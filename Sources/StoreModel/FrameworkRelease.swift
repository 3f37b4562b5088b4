/// Which system a version of Core Data's framework came with.
///
/// Apple doesn't publish these numbers: they are measured on stores of known origin and reported by app authors. One
/// number serves all systems of a year, and a store names the framework that wrote its metadata last.
package enum FrameworkRelease {
  private static let known: [(first: Int64, last: Int64, system: String)] = [
    (241, 241, "macOS 10.6"), (419, 419, "iOS 6/macOS 10.8"), (519, 519, "iOS 8"),
    (851, 851, "iOS 11/macOS 10.13"), (865, 866, "iOS 12/macOS 10.14"),
    (973, 977, "iOS 13/macOS 10.15"), (1030, 1048, "iOS 14/macOS 11"),
    (1124, 1152, "iOS 15/macOS 12"), (1216, 1251, "iOS 16/macOS 13"),
    (1321, 1347, "iOS 17/macOS 14"), (1403, 1448, "iOS 18/macOS 15"),
    (1509, 1526, "iOS 26/macOS 26"), (1621, 1629, "iOS 27/macOS 27"),
  ]

  /// That of iOS 17 and macOS 14 (https://developer.apple.com/documentation/swiftdata), its betas included.
  static let firstWithSwiftData: Int64 = 1300

  /// `iOS 26/macOS 26 (1526)`: the number alone where nothing is known of it, and between two that are known both.
  package static func text(_ version: Int64) -> String {
    if let release = known.first(where: { $0.first <= version && version <= $0.last }) {
      return "\(release.system) (\(version))"
    }
    let before = known.last { $0.last < version }
    let after = known.first { $0.first > version }
    switch (before, after) {
    case (let before?, let after?):
      return "a system between \(before.system) and \(after.system) (\(version))"
    case (let before?, nil): return "a system newer than \(before.system) (\(version))"
    case (nil, let after?): return "a system older than \(after.system) (\(version))"
    case (nil, nil): return "framework \(version)"
    }
  }
}

extension CoreDataStore {
  /// `SwiftData`, whose models name no classes and have a configuration "default". Some models of Core Data name no
  /// classes either.
  package var framework: String {
    guard let model, !model.entities.isEmpty else {
      return (metadata.frameworkVersion ?? .max) < FrameworkRelease.firstWithSwiftData
        ? "Core Data" : "Core Data or SwiftData"
    }
    let isSwiftData =
      model.configurations["default"] != nil && model.entities.allSatisfy { $0.className == nil }
    return isSwiftData ? "SwiftData" : "Core Data"
  }
}
