package import Diagnostics
package import Rendering

extension Severity {
  /// How an item of a list about such a finding is marked.
  package var grade: ListedItem.Grade {
    switch self {
    case .error: .error
    case .warning: .warning
    case .info: .note
    }
  }
}
