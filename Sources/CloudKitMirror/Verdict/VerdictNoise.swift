import Values

/// What looks like trouble and means nothing, a sentence each.
struct VerdictNoise {
  let sentences: [String]

  init(_ mirror: Mirror) throws {
    var sentences = MirrorEvent.Kind.allCases.compactMap { kind -> String? in
      let standing = mirror.events[kind]
      guard standing.noise > 0 else { return nil }
      let failures = "\(Sentence.count(standing.noise, "failure")) of \(kind.name)"
      let mean = standing.noise == 1 ? "means" : "mean"
      let last = standing.lastNoise?.errorText.map { ", the newest \($0)" } ?? ""
      return "\(failures) \(mean) nothing by \(standing.noise == 1 ? "itself" : "themselves")\(last)."
    }
    let links = try mirror.sentLinkDeletes()
    if links > 0 {
      sentences.append(
        links == 1
          ? "1 removed link was deleted on the server already; the next export drops its row."
          : "\(links) removed links were deleted on the server already; the next export drops their rows.")
    }
    self.sentences = sentences
  }
}
