import Foundation
import Testing

/// Streams made with the published encoder (pyliblzfse 0.4.1) from content that the tests can make again.
struct LZFSEVector: Sendable, CustomTestStringConvertible {
  var name: String
  var content: [UInt8]
  var base64: String

  var testDescription: String { name }

  var stream: [UInt8] { [UInt8](Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()) }

  static let all: [LZFSEVector] = [empty, oneByte, fewWords, words, manyWords, zeros]

  static let empty = LZFSEVector(name: "empty", content: [], base64: "YnZ4LQAAAABidngk")

  static let oneByte = LZFSEVector(
    name: "one byte, raw", content: [UInt8(ascii: "L")], base64: "YnZ4LQEAAABMYnZ4JA==")

  static let fewWords = LZFSEVector(
    name: "100 bytes, byte-coded", content: words(100, seed: 1),
    base64: """
      YnZ4bmQAAABWAAAA4AVlbnRpdHkgdG9rZW4gaGlzdG9yeSAIBu9lIHNjaGVtYSBhdXRob3IoB+ZpbXBvcnQoHOR6b25lIDwg
      GeRsaW5rIEDpZW50aXR5IGltBgAAAAAAAABidngk
      """)

  static let words = LZFSEVector(
    name: "1500 bytes, byte-coded", content: words(1500, seed: 2),
    base64: """
      YnZ4btwFAADwAQAA4BBzaGFyZSBsaW5rIGhpc3RvcnkgZW50aXR5IGF1dGhvcigO5XRva2VuIAYIJ+9lIHJlY29yZCBleHBv
      cnQoDuZjaGFuZ2UoByhS5nNjaGVtYSgHIDLmYXNzZXQgGIA4TPQgcyAHGCI4nfUQsSAvkAdpbRicOA3z5HpvbmUodiCTOKj0
      KFYgDxjZOJny5W9iamVjKA0YGSAGGR44v/MgfDix9CApIAc5afM4CPYIBjBNELwY5zkP8zkr9CAOIF4Y9jg1+SDTEGAg7BBg
      IAwguSAmGTAolSBCGFsYBigbGA4pIxBdIA0YShggOVzzOgP0OZv0IDwgByDaGU0goTgU8zio9RD2ICggQyBmIbEQBiATGSMY
      DChBIDwQGxhiKeQgtBkJETgY2imLIWQgLjll8hgoGAYYVCCbGA0pGzhh8xgbGrsQCzg58ykDGDMgdCAcKMogJDhe9BhRGAwo
      GhBZEPEYoyESIE8hESA0ECc4BfUpYRiGIAcgFRkIOFjzIAc5pfQ4PfQgHCAOGD46b/QoXzjW8ShDEeIothDcIC05NfQ58fU5
      2PIhGSBRIKIpLhDRIEs5n/EYdyAlIE0RHiATKJEQPyANOEbyKfcQIBhTIB8ghyiwEFUoDSAcIOEoFiBM52V4cG9ydCAGAAAA
      AAAAAGJ2eCQ=
      """)

  static let manyWords = LZFSEVector(
    name: "5000 bytes, entropy-coded", content: words(5000, seed: 5),
    base64: """
      YnZ4MogTAABYAOACAFACcMF52KuafwMQqgAAADwcsAD/gYiKKCAg4MHN4YGmY6mg0BO9GAfr5uLq4vLq7uj29urw7mr2QAEA
      AAAAAAAA+AUAAAAAAAAAgM8BAAAAAAAAAAAAAAAAAAAA4F04+guO3gmO3oW/4Oj+6P5F+ByOeBfehY/iCO7vjwAAAAAAAAAA
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgLaGWM3lUpaXSynIFPE/EFPfvVlN/I/5ahJs2vm2I/924A/TqYd/D7JvjLTY
      AAAAAAAAAAAAAKCDnRMBLOkPJpJwPxL07LBoz5jlbznY9akYaV0O6UlPnnliRqT5q6WWgmlDBYp9ACfW9DsriwacokUnwl5o
      V4+2F8wAO8uY4FQ8sT5bbgg6c7ZupGTDrjcEurgQdYljaYELtk58MyZ5nxIb4Aw8SdSbj5suaRXywWhbxqzwvhSlpIBnpqOY
      w8xpE/L102rvYTXPQ7iYcWzly9N8NNWEJeeo79a6BdLEzo117VukFbc2osL+SNeuwbMA5J2Dji+n8X5jWtSxEHmCt3ZkjYwT
      tCQif/qZ+BIENvcFN87k8AaDHMta4ZpQtvlZ4whfS5M2FhZUon0O6aRfUokpBdM+4pB/Jo7W9kwU64v4rZGqYsSe+94T6JNa
      PxWrSxs2APbrte0o81dOguzWYebDkf3KBeUWpZyKTUD383bS9K53j3VmX83ai0VQKoV73nrIROSQXnkaZh7+bw0Mx50zRHfA
      bY8H+PYHZ6MgAR0F6lXvJHTlXgfpsvsz8bKrUeRrXXdNHiwy0bcEIlJ0Wz5YesKj3uybMPQkJS51SZj0qxIM5BAJpVh+xXWG
      dUrFV5GkO6J9CTVkBwdcmaDFmgWVDZywYFREr4TK1QHY8qpQwBCF4131KIbt3UVtJpdM3N6Q4cVF8wEtZ5xE+5wvPy7GCDju
      /7sfK6KBw1KAdqeqVdcxtqOCaVAWS0gA0UQ2TgaDrfAG+nb/mL3jpALwNaNWgfWkNwWAFSpRVxC7Y9oWe+Z8WUMo8RKvu8B2
      wX3qSU5dvGjazgvQ/UKlV0j02Nj6+UlYsmgl45VCcb53P0YiKVz4xoCCIi1W8kURRO+nmH5hdRUbmBNz2PeN9C7gHCeikd/O
      iItZv0bWel5qI86X1cbQHJMqBvAEj8oftrjv7nvb5tWZvDu76d96HAdiyzvbcazI1vRp+eAb4fTZh3M/8HCWRkU80VBVL2gN
      mU1NFgFwdL6VWO2a9yjcaySXs6X5OKc+IXSO0x3rilfs/2sS9kGgylZBDV+GGgF0w9YKHy4Vo/+5SUVo5fSS3RMIieddUzKK
      7m1xOJ6g9APbuPg2G6i2QfpmQbEM7uSQSXxflMenrnrRQS/ZwjE6FMVdsgs+0KsocmQda6TUx5tj4/RaEjqDamZtBYRQ6t4d
      U8Vr+wHo4pLqTejDzLBOXZRMNGMtsxH9OeW/iN/VA2J2eCQ=
      """)

  static let zeros = LZFSEVector(
    name: "300000 zeros, entropy-coded", content: Array(repeating: 0, count: 300_000),
    base64: """
      YnZ4MuCTBAAIAAAAAIEAcAAAAAAAvQAggQAAAD4E4A9vggAIAAAgAAAAAPwJb04AAAAAAAAAAAAAAAAAAADg0QcAAAAAAAAA
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAcIX/////
      ///////////////////////////////////////////////////f////////////////////////////////////////////
      ////////////7/////////////////////////////////////////////////////////f/////////////////////////
      ///////////////////////////////z//8L/p8AYnZ4JA==
      """)

  private static let vocabulary = [
    "store", "zone", "record", "token", "change", "author", "history", "import", "export", "schema", "share",
    "asset", "link", "object", "entity",
  ]

  private static func words(_ count: Int, seed: UInt64) -> [UInt8] {
    var state = seed
    var bytes: [UInt8] = []
    while bytes.count < count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes += vocabulary[Int((state >> 33) % UInt64(vocabulary.count))].utf8
      bytes.append(UInt8(ascii: " "))
    }
    return Array(bytes.prefix(count))
  }
}
