/// The codes of NSCocoaErrorDomain that concern a store and its mirror, in order.
enum CocoaErrors {
  static let domain = "NSCocoaErrorDomain"

  static let all = (archives + stores + migration + mirroring + unknown).sorted {
    ($0.code ?? 0) < ($1.code ?? 0)
  }

  /// Codes that lie between known ones, or are known to be used, and whose meaning isn't.
  private static let unknown: [Explanation] =
    (134_092...134_098).map {
      .unknown(
        $0, "No public meaning; what is known lies around stores of other processes, predicates and SQL.")
    } + (134_181...134_185).map { .unknown($0, "No public meaning; its neighbour 134180 is SQLite's.") }
    + [134_401, 134_408, 134_414, 134_503].map {
      .unknown($0, "Meaning not known; its neighbours belong to the CloudKit mirror.")
    }
}
