/// Holds what was found against the traces of each way of toggling.
struct SyncToggles {
  let all: [SyncToggle]

  init(_ switches: SyncSwitches, _ timeline: EventTimeline) {
    let gaps = switches.gaps.count
    let seenGaps =
      gaps == 0
      ? "No time is known in which the app saved and the mirror logged nothing."
      : "\(gaps == 1 ? "Once" : "\(gaps) times") the app saved while the mirror logged nothing."
    let evidence: SyncToggle.Evidence = gaps == 0 ? .none : .possible
    var second = "No event speaks of a second instance."
    if timeline.secondInstances > 0 {
      second =
        "\(timeline.secondInstances) events failed with 134422, as another instance was already syncing."
    } else if timeline.overlappingSetups > 0 {
      second = "\(timeline.overlappingSetups) setups began while another one ran."
    }
    all = [
      SyncToggle(
        way: .optionsRemoved, evidence: evidence, seen: seenGaps,
        traces:
          "The mirror's tables and token stay, events stop, and history goes on; when it is switched on again a setup follows, and one export sends all that happened meanwhile. It can't be told apart from a plain container."
      ),
      SyncToggle(
        way: .plainContainer, evidence: evidence, seen: seenGaps,
        traces:
          "The same traces as removed options, as long as the plain container keeps history tracking on. Where it doesn't, Core Data opens such a store for reading only, and nothing is written at all."
      ),
      SyncToggle(
        way: .twoContainers,
        evidence: timeline.secondInstances > 0 ? .found : timeline.overlappingSetups > 0 ? .possible : .none,
        seen: second,
        traces:
          "Events of the second container fail with 134422, or setups overlap. A plain container beside the mirrored one leaves no trace but its saves, which are sent by the mirrored one."
      ),
    ]
  }
}
