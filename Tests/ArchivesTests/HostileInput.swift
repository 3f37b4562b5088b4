import Foundation
import Testing

/// SplitMix64: the same damage in every run. https://prng.di.unimi.it/splitmix64.c
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Damaged forms of good bytes, for decoders that must neither crash nor hang on any of them.
enum HostileInput {
  /// Every proper prefix.
  static func truncations(of bytes: [UInt8]) -> [[UInt8]] { bytes.indices.map { Array(bytes[..<$0]) } }

  /// One to four bytes replaced, some of them by values that are extreme as lengths or markers.
  static func mutations(of bytes: [UInt8], count: Int, seed: UInt64 = 1) -> [[UInt8]] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      var mutant = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let position = Int.random(in: 0..<mutant.count, using: &generator)
        let extreme: [UInt8] = [0x00, 0x7F, 0x80, 0xFF, 0x0F, 0xDF, 0xAF, 0x13]
        mutant[position] =
          Bool.random(using: &generator)
          ? UInt8.random(in: 0...255, using: &generator)
          : extreme[Int.random(in: 0..<extreme.count, using: &generator)]
      }
      return mutant
    }
  }
}

func base64(_ text: String) throws -> [UInt8] { [UInt8](try #require(Data(base64Encoded: text))) }
