import Explanations
import Values

/// When the mirror ran, for a look at the time between.
struct EventTimeline {
  /// Starts of all events, sorted.
  private(set) var moments: [CoreDataDate] = []
  private(set) var accountFailures: [MirrorEvent] = []
  /// Events that say another instance of the store is syncing.
  private(set) var secondInstances = 0
  /// Setups that began while another one ran.
  private(set) var overlappingSetups = 0

  /// The framework keeps up to twenty thousand; the limit is for made-up logs.
  private static let limit = 200_000
  private static let shownFailures = 100
  private static let account: [Explanation.Concern?] = [.account, .restriction, .encryptionKeys]

  init(_ reader: EventReader) throws {
    var runningSetup: MirrorEvent?
    try reader.forEach { event in
      if let moment = event.moment { moments.append(moment) }
      if event.hasFailed {
        if Self.account.contains(event.concern), accountFailures.count < Self.shownFailures {
          accountFailures.append(event)
        }
        if event.concern == .secondInstance { secondInstances += 1 }
      }
      if event.kind == .setup {
        if let ended = runningSetup?.ended, let started = event.started, started < ended {
          overlappingSetups += 1
        }
        runningSetup = event
      }
      return moments.count < Self.limit
    }
    moments.sort()
  }

  /// How many events began before that moment.
  func index(of moment: CoreDataDate) -> Int {
    var low = 0
    var high = moments.count
    while low < high {
      let middle = (low + high) / 2
      if moments[middle] < moment { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
