/// The line below a picture of a time: dates under their columns.
enum TimeRuler {
  /// - Parameter y: where the dates' feet are.
  static func markup(_ axis: TimeAxis, y: Int) -> [Markup] {
    let last = axis.count - 1
    func label(_ column: Int, at place: Double, _ anchor: String, _ name: String) -> Markup {
      .tag(
        "text",
        ["x": Length.percent(place), "y": String(y), "class": "tick \(name)", "text-anchor": anchor],
        .text(axis.label(of: column)))
    }
    guard last > 0 else { return [label(0, at: 0.5, "middle", "")] }
    var labels = [label(0, at: 0, "start", "")]
    // On a phone there is room for the ends only; the style sheet takes the others away.
    if last >= 8 {
      for quarter in [0.25, 0.5, 0.75] {
        let column = Int(Double(last) * quarter)
        labels.append(label(column, at: (Double(column) + 0.5) / Double(axis.count), "middle", "inner"))
      }
    }
    labels.append(label(last, at: 1, "end", ""))
    return labels
  }
}
