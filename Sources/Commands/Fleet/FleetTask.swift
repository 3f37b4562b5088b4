import Archives
import Base
import Discovery
import Evidence
import Fleet

/// What is done with one store, in a process of its own: `storescope __fleet` reads it from standard input.
struct FleetTask {
  static let command = "__fleet"

  /// What is to be written.
  enum Answer: String {
    /// For the folder's journal.
    case record
    /// A line with what the single commands print.
    case documents
    /// A line per row of the datasets.
    case rows

    /// For a store that couldn't be read.
    func bytes(_ failure: StoreFailure, address: String) -> [UInt8] {
      switch self {
      case .record: StoreRecord(address: address, StoreRows(failure, address: address)).bytes
      case .documents:
        Array(
          (JSONText.compact(["address": .text(address), "failure": failure.value]) + "\n").utf8)
      case .rows: StoreRows(failure, address: address).namedLines
      }
    }

    /// Whether that is of a store that could be read.
    func isRead(_ bytes: [UInt8]) -> Bool {
      bytes.starts(with: self == .rows ? "{\"dataset\":\"stores\"".utf8 : "{\"storeId\"".utf8)
    }
  }

  let answer: Answer
  let includesValues: Bool
  let isMirrored: Bool
  private let seconds: Int
  let memory: Int64

  init(_ invocation: Invocation, _ limits: FleetLimits, answer: Answer) {
    self.answer = answer
    includesValues = invocation.arguments.has(.includeValues)
    isMirrored = invocation.arguments.has(.mirrored)
    (seconds, memory) = (limits.seconds, limits.memory)
  }

  /// A store, and the decompressed archive that it is read from; nil if it is read from where it is.
  struct Item {
    let place: FoundPlace
    fileprivate let archive: UnpackedArchive?

    /// - Parameter archive: has looked at the addresses of the items before.
    init(_ place: FoundPlace, in archive: inout ConsecutiveArchive) throws {
      self.place = place
      self.archive = try archive.unpacked(for: place.address)
    }
  }

  // MARK: - From process to process

  /// - Parameter keyring: the keys of backups that are known already.
  func input(_ item: Item, _ keyring: BackupKeyring) -> [UInt8] {
    let members: DataValue = [
      "answer": .text(answer.rawValue), "values": .bool(includesValues), "mirrored": .bool(isMirrored),
      "seconds": .count(seconds), "memory": .integer(memory), "place": item.place.value,
      "archive": .optional(item.archive?.path), "keys": keyring.value,
    ]
    return Array(JSONText.compact(members).utf8)
  }

  private init?(_ value: DataValue) {
    guard let answer = value["answer"]?.text.flatMap(Answer.init(rawValue:)),
      case .bool(let includesValues)? = value["values"], case .bool(let isMirrored)? = value["mirrored"],
      case .integer(let seconds)? = value["seconds"], case .integer(let memory)? = value["memory"]
    else { return nil }
    self.answer = answer
    self.includesValues = includesValues
    self.isMirrored = isMirrored
    (self.seconds, self.memory) = (Int(seconds), memory)
  }

  /// The program that each of these processes runs.
  /// - Returns: the exit code.
  static func run() -> Int32 {
    Platform.occupyStandardDescriptors()
    Platform.ignoreBrokenPipes()
    // It may get the keys of backups.
    Secret.preventDumps()
    guard let value = try? JSONReader.read(StandardInput.text(limit: .max)),
      let task = FleetTask(value), let place = value["place"].flatMap(FoundPlace.init)
    else {
      return Application.complain(
        UsageError.conflict("'\(command)' is started by 'storescope fleet'."), CommandWording(place: .program)
      )
    }
    // Whoever started it ends it at the time limit, and may not read from it for a while before that.
    ChildProcess.limitThisProcess(memory: task.memory, seconds: task.seconds + 600)
    if let archive = value["archive"]?.text, let address = StoreAddress(place.address) {
      UnpackedArchive.use(archive, for: address.container)
    }
    let worker = FleetWorker(
      task: task, password: BackupPassword(BackupKeyring(value["keys"] ?? .null)) { nil })
    let isWritten = worker.answer(place).withUnsafeBytes { Platform.write($0, to: 1) }
    return isWritten ? Application.ExitCode.done : Application.ExitCode.failed
  }
}
