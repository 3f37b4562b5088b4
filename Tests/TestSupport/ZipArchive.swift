import Archives

/// Reads a zip archive by its list of entries, as strictly as storescope writes it.
package struct ZipArchive {
  package var files: [(name: String, bytes: [UInt8])] = []

  package struct Problem: Error { package var what: String }

  package init(_ archive: [UInt8]) throws {
    func number(_ offset: Int, _ count: Int) throws -> Int {
      guard offset >= 0, offset + count <= archive.count else { throw Problem(what: "cut off at \(offset)") }
      return (0..<count).reduce(0) { $0 | Int(archive[offset + $1]) << ($1 * 8) }
    }
    let end = archive.count - 22
    guard try number(end, 4) == 0x0605_4B50 else { throw Problem(what: "no end") }
    var place = try number(end + 16, 4)
    for _ in 0..<(try number(end + 10, 2)) {
      guard try number(place, 4) == 0x0201_4B50 else { throw Problem(what: "no entry at \(place)") }
      let (packed, size) = (try number(place + 20, 4), try number(place + 24, 4))
      let (nameLength, extra) = (try number(place + 28, 2), try number(place + 30, 2))
      let start = try number(place + 42, 4)
      let name = archive[(place + 46)...].prefix(nameLength)
      guard try number(start, 4) == 0x0403_4B50,
        archive[(start + 30)...].prefix(nameLength).elementsEqual(name)
      else { throw Problem(what: "no file at \(start)") }
      let data = start + 30 + nameLength + (try number(start + 28, 2))
      let bytes =
        try number(place + 10, 2) == 0
        ? [] : try Inflate.raw(Array(archive[data...].prefix(packed)), limit: 1 << 30)
      guard bytes.count == size else { throw Problem(what: "\(name) has \(bytes.count) bytes, not \(size)") }
      files.append((String(decoding: name, as: UTF8.self), bytes))
      place += 46 + nameLength + extra
    }
    guard place == end else { throw Problem(what: "the list ends at \(place), not \(end)") }
  }

  package subscript(name: String) -> [UInt8]? { files.first { $0.name == name }?.bytes }
}
