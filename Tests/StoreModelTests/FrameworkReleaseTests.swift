import StoreModel
import Testing

struct FrameworkReleaseTests {
  @Test(arguments: [
    (1526, "iOS 26/macOS 26 (1526)"), (1345, "iOS 17/macOS 14 (1345)"), (241, "macOS 10.6 (241)"),
    (1629, "iOS 27/macOS 27 (1629)"), (1480, "a system between iOS 18/macOS 15 and iOS 26/macOS 26 (1480)"),
    (1700, "a system newer than iOS 27/macOS 27 (1700)"), (1, "a system older than macOS 10.6 (1)"),
    (Int64.min, "a system older than macOS 10.6 (-9223372036854775808)"),
  ]) func isNamedWhereItIsKnown(_ version: Int64, _ text: String) {
    #expect(FrameworkRelease.text(version) == text)
  }
}
