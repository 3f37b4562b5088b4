import Lens
import Values

extension LostRecords {
  /// What an upload of them leads to; nil if there are none.
  var sentence: String? {
    guard !isEmpty else { return nil }
    return count == 1
      ? "1 object had a record that is gone: the server probably has the object, and an upload under a new name makes it appear twice on all devices."
      : "\(Sentence.count(count, "object")) had records that are gone: the server probably has the objects, and an upload under new names makes them appear twice on all devices."
  }

  static let fix =
    "Don't launch the app. Restore a backup of the store that has the records; never delete rows of the mirror's tables."
}
