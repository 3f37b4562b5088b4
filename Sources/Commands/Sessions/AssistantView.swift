import Lens
import Redaction
import Reports
import StoreModel
import SystemCalls

/// What commands show an assistant.
package struct AssistantView: Sendable {
  /// What stands for names and values; nil if they are shown.
  let marks: Marks?

  /// What is said of a question whose answer would show values.
  static let refusal = "this server shows no values; start it with --include-values"

  static func withholdValues(of open: OpenStore, _ marks: Marks) {
    open.withholdValues { [unowned open] in
      let privacy = try privacy(of: open, marks)
      return ShownNames { privacy.mask($1, $0) }
    }
  }

  static func privacy(of open: OpenStore, _ marks: Marks) throws -> ReportPrivacy {
    // Without its zones, none is named either.
    let zones = (try? open.mirror()?.zones) ?? []
    return ReportPrivacy(
      marks, of: open.store, zones: zones, sharedNames: try? SharedNames(open.store),
      structure: StructureNames.all(in: open.store), keepsURIs: true)
  }
}
