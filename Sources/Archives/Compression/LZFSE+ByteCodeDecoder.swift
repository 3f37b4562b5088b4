extension LZFSE {
  /// LZVN: each code is a byte, or a few, that says how many literal bytes follow (L), how many bytes are then
  /// repeated (M) and from how far back (D). Codes without a distance use the last one again.
  ///
  /// | first byte | further bytes | L | M | D |
  /// |---|---|---|---|---|
  /// | `LLMMMDDD`, D below 6 | `DDDDDDDD` | L | M + 3 | 11 bits |
  /// | `LLMMM110`, L above 0 | – | L | M + 3 | last |
  /// | `LLMMM111` | 2 | L | M + 3 | 16 bits, low byte first |
  /// | `101LLMMM` | `DDDDDDMM DDDDDDDD` | L | M + 3, high bits in the first byte | 14 bits |
  /// | `1110LLLL`; L is 0 | –; `LLLLLLLL` | L; L + 16 | – | – |
  /// | `1111MMMM`; M is 0 | –; `MMMMMMMM` | – | M; M + 16 | last |
  /// | `00000110` | ignored | end | | |
  /// | `00001110`, `00010110` | – | nothing | | |
  struct ByteCodeDecoder {
    private var input: Input
    private var distance = 0

    init(_ payload: ArraySlice<UInt8>) { input = Input(payload) }

    mutating func decode(into output: inout Output) throws(ArchiveError) {
      while true {
        let code = Int(try input.unsigned8())
        switch code {
        case 0x06: return
        case 0x0e, 0x16: continue
        case 0x1e, 0x26, 0x2e, 0x36, 0x3e, 0x70...0x7f, 0xd0...0xdf:
          throw damaged("byte \(input.position - 1) is an unknown code")
        case 0xe0: try output.append(try input.take(Int(try input.unsigned8()) + 16))
        case 0xe1...0xef: try output.append(try input.take(code & 15))
        case 0xf0: try output.repeatBytes(distance: distance, count: Int(try input.unsigned8()) + 16)
        case 0xf1...0xff: try output.repeatBytes(distance: distance, count: code & 15)
        case 0xa0...0xbf:
          let rest = try input.unsigned16()
          distance = rest >> 2
          try output.append(try input.take(code >> 3 & 3))
          try output.repeatBytes(distance: distance, count: (code & 7) << 2 + rest & 3 + 3)
        default:
          switch code & 7 {
          case 6: break
          case 7: distance = try input.unsigned16()
          default: distance = (code & 7) << 8 + Int(try input.unsigned8())
          }
          try output.append(try input.take(code >> 6))
          try output.repeatBytes(distance: distance, count: code >> 3 & 7 + 3)
        }
      }
    }
  }
}
