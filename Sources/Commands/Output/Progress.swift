import Base
import Rendering

/// Says on stderr how far a long command is: nothing in the first second, nothing where nobody watches.
package final class Progress {
  private var isShown: Bool
  private let start = Platform.monotonicSeconds()
  @exclusivity(unchecked) private var steps = 0
  private var lastShown = 0.0
  private var isVisible = false
  private static let stepsBetweenLooks = 4096

  package init(isShown: Bool) { self.isShown = isShown }

  /// One more row or the like was worked on. Cheap enough to call for each of millions.
  @inline(__always)
  package func step(_ what: @autoclosure () -> String) {
    steps += 1
    if steps % Self.stepsBetweenLooks == 0 { look(what()) }
  }

  /// A new part of the work has begun.
  package func phase(_ what: String) { look(what) }

  private func look(_ what: String) {
    guard isShown else { return }
    let now = Platform.monotonicSeconds()
    guard now - start > 1, now - lastShown > 0.1, Platform.isWritable(2) else { return }
    lastShown = now
    isVisible = true
    // A line that fills the terminal would wrap, and its first half would stay.
    let time = " … \(Int(now - start)) s"
    let text = TerminalText.shortened(
      TerminalText.escaped(what), to: max(20, (Platform.terminalSize(2)?.columns ?? 80) - time.count - 1))
    // CSI K erases the rest of the line (ECMA-48, EL).
    Platform.writeToStandardError("\r\u{1B}[K\(text)\(time)")
  }

  /// Takes the line away for good: from here on the result has the screen.
  package func giveWay() {
    finish()
    isShown = false
  }

  /// Takes the line away again.
  package func finish() {
    // A terminal that is held (Ctrl-S) must not hold the store.
    if isVisible, Platform.isWritable(2) { Platform.writeToStandardError("\r\u{1B}[K") }
    isVisible = false
  }
}
