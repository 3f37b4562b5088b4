import SystemCalls
package import Values

/// A model file or folder that the user named, in any of the forms that Xcode knows.
package struct ModelFile: Sendable, Equatable {
  package var path: String
  /// The versions that can be the store's model, the most likely first; never empty.
  ///
  /// More than one remains only if nothing distinguishes them but the store's tables: XML holds no version
  /// hashes. A single one that is not `isVerified` may still be another store's model.
  package var candidates: [ModelCandidate]

  /// Reads `.momd`, `.mom`, `.xcdatamodeld`, `.xcdatamodel`, the file `contents` in the last, or a folder that
  /// holds several `.momd`, as an app's does.
  /// - Parameter metadata: the store's, to choose among versions.
  /// - Throws: where nothing can be read there, or no version is the store's model.
  package static func load(path: String, metadata: StoreMetadata?) throws(StoreScopeError) -> ModelFile {
    let path = Platform.withoutLastSlashes(path)
    switch FileReader.kind(of: path) {
    case .file: return ModelFile(path: path, candidates: [try candidate(file: path)])
    case .folder: return ModelFile(path: path, candidates: try candidates(folder: path, metadata))
    case .link, .other:
      throw StoreScopeError(
        .foreign, "the model \(path) is neither a file nor a folder", about: path, advice: advice)
    case nil:
      throw StoreScopeError(
        .notFound, "there is no model at \(path), or it may not be read", about: path, advice: advice)
    }
  }

  private static let advice = "pass a .momd, .mom, .xcdatamodeld or .xcdatamodel"

  private static func candidates(
    folder: String, _ metadata: StoreMetadata?
  ) throws(StoreScopeError) -> [ModelCandidate] {
    let names = try FileReader.names(in: folder)
    if names.contains("contents") {
      let decoded = try ModelSourceReader.read(contents: folder + "/contents")
      return [ModelCandidate(name: stem(of: folder), decoded: decoded, isVerified: false)]
    }
    if names.contains(where: { $0.hasSuffix(".xcdatamodel") }) {
      return try ModelSourceReader.read(xcdatamodeld: folder, names: names, metadata: metadata)
    }
    if names.contains("VersionInfo.plist") || names.contains(where: { $0.hasSuffix(".mom") }) {
      return try CompiledModelReader.read(momd: [folder], metadata: metadata)
    }
    let compiled = names.filter { $0.hasSuffix(".momd") }.map { "\(folder)/\($0)" }
    guard !compiled.isEmpty else {
      throw StoreScopeError(.notFound, "the folder \(folder) holds no model", about: folder, advice: advice)
    }
    return try CompiledModelReader.read(momd: compiled, metadata: metadata)
  }

  /// A file's first bytes tell what it is, whatever its name.
  private static func candidate(file path: String) throws(StoreScopeError) -> ModelCandidate {
    let bytes = try FileReader.bytes(of: path, limit: CompiledModelReader.sizeLimit)
    let decoded: DecodedModel
    if bytes.starts(with: "bplist".utf8) {
      decoded = try CompiledModelReader.read(bytes, path: path)
    } else if bytes.starts(with: "momv2$".utf8) {
      throw StoreScopeError(
        .foreign, plain: path, "is a model in the private optimized form", advice: "pass the .mom next to it")
    } else if bytes.first(where: { !blanks.contains($0) }) == UInt8(ascii: "<") {
      decoded = try ModelSourceReader.read(bytes, path: path)
    } else {
      throw StoreScopeError(.foreign, plain: path, "isn't a model", advice: advice)
    }
    return ModelCandidate(name: name(ofFile: path), decoded: decoded, isVerified: false)
  }

  /// White space and the bytes of a byte order mark, which may stand before XML.
  private static let blanks: Set<UInt8> = [0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]

  /// `contents` is called after its folder.
  private static func name(ofFile path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.last == "contents" && parts.count > 1
      ? stem(of: String(parts[parts.count - 2])) : stem(of: path)
  }

  /// The last component without its extension.
  static func stem(of path: String) -> String {
    let name = path.split(separator: "/").last ?? Substring(path)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}
