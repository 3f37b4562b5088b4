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
    open.withholdValues { [unowned open] in try names(of: open, marks) }
  }

  static func privacy(of open: OpenStore, _ marks: Marks) throws -> ReportPrivacy {
    // Without its zones, none is named either.
    let zones = (try? open.mirror()?.zones) ?? []
    return ReportPrivacy(
      marks, of: open.store, zones: zones, sharedNames: try? SharedNames(open.store),
      keepsURIs: true)
  }

  private static func names(of open: OpenStore, _ marks: Marks) throws -> ShownNames {
    let privacy = try privacy(of: open, marks)
    let structure = StructureNames.all(in: open.store)
    return ShownNames { kind, name in
      switch kind {
      case .author: privacy.author(name) ?? name
      case .program: privacy.program(name) ?? name
      case .record: privacy.recordName(name) ?? name
      case .zone: privacy.zone(name) ?? name
      case .owner: privacy.owner(name) ?? name
      case .structure: structure.contains(name) ? name : marks.mark(name, kind: "name")
      case .metadataKey: MetadataKey.known.contains(name) ? name : marks.mark(name, kind: "key")
      }
    }
  }
}
