/// Lengths as SVG takes them. Across, pictures are drawn in percent of the room there is, so that they fit a phone and a
/// large screen without their text being scaled: https://www.w3.org/TR/SVG2/coords.html#Units
enum Length {
  /// `12.5%`, with two digits at most.
  static func percent(_ part: Double) -> String { number(part * 100, digits: 2) + "%" }

  /// `12.5`, with two digits at most, which are as fine as screens are.
  static func number(_ value: Double, digits: Int = 1) -> String {
    let scale = digits == 1 ? 10.0 : 100.0
    guard value.isFinite, abs(value) < 1e12 else { return "0" }
    let scaled = Int64((value * scale).rounded())
    let (whole, rest) = (scaled.magnitude / UInt64(scale), scaled.magnitude % UInt64(scale))
    let sign = scaled < 0 ? "-" : ""
    guard rest > 0 else { return sign + String(whole) }
    var fraction = String(rest)
    if digits == 2, rest < 10 { fraction = "0" + fraction }
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(sign)\(whole).\(fraction)"
  }
}
