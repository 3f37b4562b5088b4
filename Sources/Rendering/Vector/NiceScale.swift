/// Round numbers for the lines of a chart.
struct NiceScale {
  /// From the lowest above 0 up; the last is the largest that fits.
  let ticks: [Int]
  let top: Int

  /// One to four lines at 1, 2 or 5 times a power of ten; a chart of ones has one.
  init(upTo most: Int) {
    let top = max(1, most)
    self.top = top
    var step = 1
    outer: while true {
      for factor in [1, 2, 5] where top / (step * factor) <= 3 {
        step *= factor
        break outer
      }
      guard step < Int.max / 100 else { break }
      step *= 10
    }
    let last = top / step
    ticks = (1...max(1, last)).map { $0 * step }.filter { $0 <= top }
  }
}
