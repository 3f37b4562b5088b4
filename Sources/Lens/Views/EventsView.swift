extension MirrorViews {
  /// One row per run of the mirror.
  package var events: View? {
    guard tables.has(.events) else { return nil }
    func column(_ name: String) -> String { tables.sql(.events, name, "e") }
    func number(_ name: String) -> String { tables.number(.events, name, "e") }
    let kind = number("ZCLOUDKITEVENTTYPE")
    let ended = number("ZENDEDAT")
    let succeeded = tables.flag(.events, "ZSUCCEEDED", "e")
    let domain = column("ZERRORDOMAIN")
    let code = number("ZERRORCODE")
    let kinds = MirrorEvent.Kind.allCases.map { "WHEN \($0.rawValue) THEN '\($0.name)'" }.joined(
      separator: " ")
    func explained(_ member: String) -> String {
      "event_error('\(member)', \(ended), \(succeeded), \(domain), \(code))"
    }
    return View(
      "events", rows: "run of the mirror: a setup, an import or an export",
      [
        .init("id", .uuid, "its identifier", column("ZEVENTIDENTIFIER")),
        .init(
          "type", .text, "setup, import or export",
          "CASE \(kind) \(kinds) ELSE COALESCE('unknown (' || CAST(\(kind) AS INTEGER) || ')', 'unknown') END"
        ).open,
        .init("started", .date, "when it began", number("ZSTARTEDAT")).open,
        .init("ended", .date, "when it ended; NULL while it runs, and if its process died", ended).open,
        .init("succeeded", .bool, "it ended well", succeeded).open,
        .init("errorDomain", .text, "the domain of its error", domain).open,
        // The columns of a success may hold a default of 0.
        .init(
          "errorCode", .integer, "the error's code",
          "CASE WHEN \(domain) IS NOT NULL OR \(code) <> 0 THEN \(code) END"
        ).open,
        .init("errorName", .text, "the error's public name", explained("name")).open,
        .init("affected", .integer, "how many objects it was about", number("ZCOUNTAFFECTEDOBJECTS")).open,
        .init("finished", .integer, "how many of them it finished", number("ZCOUNTFINISHEDOBJECTS")).open,
        .init("explanation", .text, "what the error means", explained("meaning")).open,
        .init(
          "isNoise", .bool, "a failure that is harmless if later runs succeed", explained("noise")
        ).open,
        .init("row", .integer, "the key of the mirror's row, in the order of writing", "e.Z_PK").open,
        .init("kind", .integer, "the raw value of the type", kind, isShown: false),
      ], from: "main.ANSCKEVENT e")
  }
}
