import StoreModel
import Testing

/// Values are looked at 64 places at a time for what begins a URI, and what begins one is found at every place.
struct URIScannerTests {
  static let fillers: [[UInt8]] = [
    [0], Array("x".utf8), Array("fox: x-".utf8), Array(":".utf8), Array("x-coredata".utf8),
  ]
  static let schemes: [[UInt8]] = [
    Array("x-coredata:".utf8), "x-coredata:".utf8.flatMap { [$0, 0] },
    "x-coredata:".utf8.flatMap { [0, $0] },
  ]

  @Test(arguments: fillers, schemes) func isFoundAtEveryPlace(_ filler: [UInt8], _ scheme: [UInt8]) {
    for count in [0, 1, 10, 21, 63, 64, 83, 84, 85, 128, 150, 212, 300] {
      let around = (0..<count).map { filler[$0 % filler.count] }
      #expect(!around.withUnsafeBytes(URIScanner.mayFind), "\(count)")
      for place in 0...count {
        let bytes = around[..<place] + scheme + around[place...]
        #expect(Array(bytes).withUnsafeBytes(URIScanner.mayFind), "\(place) of \(count)")
        // One letter less is none.
        var broken = Array(bytes)
        broken[place + scheme.count / 2] = UInt8(ascii: "?")
        broken[place + scheme.count / 2 + 1] = UInt8(ascii: "?")
        #expect(!broken.withUnsafeBytes(URIScanner.mayFind), "\(place) of \(count)")
      }
    }
  }
}
