import Archives
import Base

/// Whom a folder of containers belongs to, as iOS and macOS note it in each of them.
package enum ContainerOwner {
  package static let fileNames = [fileName, downloadFileName]
  private static let fileName = ".com.apple.mobile_container_manager.metadata.plist"
  /// At the top of what Xcode downloads from a device.
  private static let downloadFileName = "AppDataInfo.plist"
  package static let largest = 1 << 20
  /// Identifiers are reversed names of domains, https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4
  private static let longest = 256

  /// The bundle or group identifier; nil if the file has none.
  package static func identifier(_ bytes: [UInt8]) -> String? {
    text(bytes, "MCMMetadataIdentifier", "CFBundleIdentifier")
  }

  /// The text under the first of the two keys that the list has.
  private static func text(_ bytes: [UInt8], _ key: String, _ other: String) -> String? {
    let list = try? PropertyList.read(bytes)
    let text = list?[key]?.string ?? list?[other]?.string
    return text.flatMap { $0.utf8.count <= longest ? $0 : nil }
  }

  /// The app's version, as the file at the top of a download notes it; nil if there is none.
  package static func appVersion(ofFolder folder: String) -> String? {
    let bytes = try? FileReader.bytes(of: "\(folder)/\(downloadFileName)", limit: largest)
    return bytes.flatMap { text($0, "CFBundleShortVersionString", "CFBundleVersion") }
  }

  /// Nil if the folder has no such file.
  package static func identifier(ofFolder folder: String) -> String? {
    fileNames.lazy.compactMap { name in
      (try? FileReader.bytes(of: "\(folder)/\(name)", limit: largest)).flatMap(identifier)
    }.first
  }
}
