extension MirrorEvent {
  /// What an error is about, where its code alone says so. Codes of CKErrorDomain are Apple's
  /// (https://developer.apple.com/documentation/cloudkit/ckerror/code), those of NSCocoaErrorDomain app authors report.
  package enum Concern: Sendable {
    /// Nobody is signed in, the account isn't ready, or it is another one than before.
    case account
    /// The server asks the app to wait.
    case throttling
    /// Storage is full.
    case quota
    /// The zone isn't there, or the user deleted it.
    case zone
  }

  /// Nil for a run that didn't fail, too.
  package var concern: Concern? {
    guard hasFailed else { return nil }
    switch (errorDomain, errorCode) {
    case (CocoaErrors.domain, 134_400), (CocoaErrors.domain, 134_405), (CloudKitErrors.domain, 9),
      (CloudKitErrors.domain, 36):
      return .account
    case (CloudKitErrors.domain, 6), (CloudKitErrors.domain, 7): return .throttling
    case (CloudKitErrors.domain, 25): return .quota
    case (CloudKitErrors.domain, 26), (CloudKitErrors.domain, 28): return .zone
    default: return nil
    }
  }

  /// Some items failed and the log doesn't say why:
  /// https://developer.apple.com/documentation/cloudkit/ckerror/code/partialfailure
  package var isPartialFailure: Bool {
    hasFailed && errorDomain == CloudKitErrors.domain && errorCode == 2
  }

  /// Whether the error is one that goes away without anyone doing anything.
  package var healsItself: Bool {
    if case .yes? = explanation?.healsItself { true } else { false }
  }
}
