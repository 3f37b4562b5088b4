import Testing

@testable import SystemCalls

struct SystemErrorTests {
  /// "Operation not permitted" left people looking for rights, which aren't what is missing.
  @Test(arguments: [(Int32(1), true, true), (1, false, false), (13, true, false), (2, true, false)])
  func protectionIsExplained(_ number: Int32, isMac: Bool, _ expected: Bool) {
    #expect(Platform.text(ofOpeningError: number, isMac: isMac).contains("Full Disk Access") == expected)
  }
}
