import Diagnostics
import Rendering

extension Verdict {
  /// Of the word that the verdict begins with.
  var color: TextStyle.Color? {
    switch state {
    case .blocked: .red
    case .neverSetUp, .unknown: .yellow
    case .idle: .green
    case .waiting, .notMirrored: nil
    }
  }
}
