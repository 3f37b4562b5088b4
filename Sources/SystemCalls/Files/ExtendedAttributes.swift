#if canImport(Darwin)
  import Darwin
#else
  import CXattr
  import Glibc
#endif

/// What a file system keeps of a file in addition to its content: tags, comments, where it came from. The two systems' calls
/// differ in their parameters: https://man7.org/linux/man-pages/man7/xattr.7.html
package enum ExtendedAttributes {
  /// Gives an open file those of one that isn't opened, as far as the file system and the user's rights let it.
  package static func copy(from source: String, to target: Int32) {
    for name in names(of: source) {
      if let value = value(of: name, source) { set(name, value, ofOpenFile: target) }
    }
  }

  /// The same from an open file.
  package static func copy(fromOpenFile source: Int32, to target: Int32) {
    let names = filled { buffer, count in
      #if canImport(Darwin)
        flistxattr(source, buffer, count, 0)
      #else
        flistxattr(source, buffer, count)
      #endif
    }
    for name in names.map(texts) ?? [] {
      let value = filled { buffer, count in
        #if canImport(Darwin)
          fgetxattr(source, name, buffer, count, 0, 0)
        #else
          fgetxattr(source, name, buffer, count)
        #endif
      }
      if let value { set(name, value, ofOpenFile: target) }
    }
  }

  private static func set(_ name: String, _ value: [UInt8], ofOpenFile descriptor: Int32) {
    #if canImport(Darwin)
      _ = fsetxattr(descriptor, name, value, value.count, 0, 0)
    #else
      _ = fsetxattr(descriptor, name, value, value.count, 0)
    #endif
  }

  private static func texts(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  package static func names(of path: String) -> [String] {
    let bytes = filled { buffer, count in
      #if canImport(Darwin)
        listxattr(path, buffer, count, 0)
      #else
        listxattr(path, buffer, count)
      #endif
    }
    return bytes.map(texts) ?? []
  }

  /// Nil where the file has none of that name.
  package static func value(of name: String, _ path: String) -> [UInt8]? {
    filled { buffer, count in
      #if canImport(Darwin)
        getxattr(path, name, buffer, count, 0, 0)
      #else
        getxattr(path, name, buffer, count)
      #endif
    }
  }

  /// - Returns: false where the file system, or the user's rights, don't let that be.
  @discardableResult
  package static func set(_ name: String, _ value: [UInt8], _ path: String) -> Bool {
    #if canImport(Darwin)
      setxattr(path, name, value, value.count, 0, 0) == 0
    #else
      setxattr(path, name, value, value.count, 0) == 0
    #endif
  }

  /// Asks for the size first, then for the bytes; nil where there are none.
  private static func filled(_ call: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> [UInt8]? {
    let size = call(nil, 0)
    guard size >= 0 else { return nil }
    var bytes = [CChar](repeating: 0, count: size)
    let count = bytes.withUnsafeMutableBufferPointer { call($0.baseAddress, $0.count) }
    return count >= 0 ? bytes.prefix(count).map(UInt8.init(bitPattern:)) : nil
  }
}
