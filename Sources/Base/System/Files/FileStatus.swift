#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What something in the file system is.
package enum FileKind: Sendable {
  case file, folder, link
  /// A pipe, socket or device, which may never end.
  case other

  init(_ status: stat) { self.init(mode: UInt32(status.st_mode)) }

  /// - Parameter mode: `st_mode`, which archives have, too.
  package init(mode: UInt32) {
    switch mode_t(truncatingIfNeeded: mode) & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    default: self = .other
    }
  }
}

/// What the file system says of a file or folder.
package struct FileStatus: Sendable {
  package let kind: FileKind
  package let identity: FileIdentity
  /// In bytes.
  package let size: Int64
  /// How many bytes it takes on disk, without its holes.
  package let sizeOnDisk: Int64
  /// Nanoseconds since 1970.
  package let modified: Int64
  /// How many hard links there are.
  package let names: Int
  /// Who may do what, as `chmod` takes it.
  package let rights: UInt16
  /// Whether its content is in iCloud only, and reading it would download it.
  package let isDataless: Bool
  package let owner: UInt32
  let group: UInt32

  /// Of what links lead to. Nil where there is nothing that may be seen; `Platform.lastFailure` says why.
  package init?(_ path: String) { self.init { stat(path, &$0) } }

  /// Of a link itself.
  package init?(ofLink path: String) { self.init { lstat(path, &$0) } }

  init?(ofOpenFile descriptor: Int32) { self.init { fstat(descriptor, &$0) } }

  /// Of a link itself, in an open folder.
  /// https://man7.org/linux/man-pages/man2/fstatat.2.html
  init?(_ name: String, in folder: Int32) { self.init { fstatat(folder, name, &$0, AT_SYMLINK_NOFOLLOW) } }

  private init?(_ call: (inout stat) -> Int32) {
    var status = stat()
    guard call(&status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    #if canImport(Darwin)
      let time = status.st_mtimespec
      isDataless = Self.isDataless(flags: status.st_flags)
    #else
      let time = status.st_mtim
      isDataless = false
    #endif
    kind = FileKind(status)
    identity = FileIdentity(device: status.st_dev, number: status.st_ino)
    size = Int64(status.st_size)
    // In units of 512 bytes: https://man7.org/linux/man-pages/man3/stat.3type.html
    sizeOnDisk = Int64(status.st_blocks) * 512
    modified = Self.nanoseconds(time)
    names = Int(status.st_nlink)
    rights = UInt16(status.st_mode & 0o7777)
    owner = status.st_uid
    group = status.st_gid
  }

  /// SF_DATALESS: https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/stat.h
  package static func isDataless(flags: UInt32) -> Bool { flags & 0x4000_0000 != 0 }

  /// Some file systems, and archives, have dates beyond the year 2262, which this can't count to: they are the last one.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    let (seconds, isTooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return isTooFar ? (time.tv_sec < 0 ? .min : .max) : seconds.addingClamped(Int64(time.tv_nsec))
  }
}

/// What distinguishes a file or folder from another one that comes to have its name.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// Nil where there is nothing.
  package init?(_ path: String) {
    guard let status = FileStatus(ofLink: path) else { return nil }
    self = status.identity
  }

  /// Of what links of any kind lead to.
  package init?(following path: String) {
    guard let status = FileStatus(path) else { return nil }
    self = status.identity
  }

  /// As the system writes the two numbers, which is another type of number on each.
  init(device: some BinaryInteger, number: some BinaryInteger) {
    self.device = UInt64(truncatingIfNeeded: device)
    self.number = UInt64(truncatingIfNeeded: number)
  }
}

/// The rights of files that are made, before the umask takes its part.
package struct FileRights: Sendable, Equatable {
  let file: UInt16

  /// For results that are meant for others.
  package static let ordinary = FileRights(file: 0o644)
  /// For what is nobody else's business.
  package static let own = FileRights(file: 0o600)

  private init(file: UInt16) { self.file = file }

  /// For what holds another file's values: nobody may read it who may not read that file. The owner's alone if that
  /// can't be determined.
  package init(like path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .own
      return
    }
    // The new file gets the group of whoever makes it.
    file = UInt16(status.st_mode & (status.st_gid == getegid() ? 0o644 : 0o604)) | 0o600
  }

  /// For what holds values of two files.
  package func intersection(_ other: FileRights) -> FileRights { FileRights(file: file & other.file) }

  /// Who may read the files may list their folder.
  package var folder: UInt16 { file | (file & 0o444) >> 2 }
}
