/// The codes of CKErrorDomain, in order.
///
/// Apple documents what a code means; what the mirror does about it is reported by app authors or inferred.
enum CloudKitErrors {
  static let domain = "CKErrorDomain"

  static let lists: [@Sendable () -> [Explanation]] = [{ operations }, { zones }]

  static let all = lists.flatMap { $0() }

  private static let operations = errors(PackageResources.cloudkit_operations_txt)
  private static let zones = errors(PackageResources.cloudkit_zones_txt)

  private static func errors(_ text: [UInt8]) -> [Explanation] {
    Explanation.errors(of: domain, text) {
      [ExplanationSource.page("cloudkit/ckerror/code/" + $0.lowercased()), "CKError.h (CloudKit)"]
    }
  }
}
