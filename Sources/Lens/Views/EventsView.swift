import Values

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
    let keys = MirrorEvent.fields.keys()
    return View(
      "events", rows: "run of the mirror: a setup, an import or an export",
      [
        .init("id", of: keys, column("ZEVENTIDENTIFIER")),
        .init(
          "type", of: keys,
          "CASE \(kind) \(kinds) ELSE COALESCE('unknown (' || CAST(\(kind) AS INTEGER) || ')', 'unknown') END"
        ).open,
        .init("started", of: keys, number("ZSTARTEDAT")).open,
        .init("ended", of: keys, ended).open,
        .init("succeeded", of: keys, succeeded).open,
        .init("errorDomain", of: keys, domain).open,
        // The columns of a success may hold a default of 0.
        .init(
          "errorCode", of: keys, "CASE WHEN \(domain) IS NOT NULL OR \(code) <> 0 THEN \(code) END"
        ).open,
        .init("errorName", of: keys, explained("name")).open,
        .init("affected", of: keys, number("ZCOUNTAFFECTEDOBJECTS")).open,
        .init("finished", of: keys, number("ZCOUNTFINISHEDOBJECTS")).open,
        .init("explanation", of: keys, explained("meaning")).open,
        .init("isNoise", of: keys, explained("noise")).open,
        .init("row", .integer, "the key of the mirror's row, in the order of writing", "e.Z_PK").open,
        .init("kind", .integer, "the raw value of the type", kind, isShown: false),
      ], from: "main.ANSCKEVENT e")
  }
}
