import Base
import Testing

@testable import Archives

struct XMLTests {
  private func read(_ text: String) throws -> XMLElement { try XMLReader.read(Array(text.utf8)) }

  @Test func readsElements() throws {
    let root = try read(
      """
      <?xml version="1.0"?><!-- a comment --><model name="A &amp; B" type="x">
      <entity name="P">one<attribute/><![CDATA[ <two> ]]>&#x1F332;</entity><entity name="Q"/></model>
      """)
    #expect(root.name == "model")
    #expect(root.attributes == ["name": "A & B", "type": "x"])
    #expect(root.children(named: "entity").map { $0.attributes["name"] } == ["P", "Q"])
    #expect(root.children[0].text == "one <two> 🌲")
    #expect(root.children[0].children == [XMLElement(name: "attribute")])
  }

  static let refused: [(String, String)] = [
    ("", "the XML is not well-formed at line 1 (no element found)"),
    ("<a><b></a>", "the XML is not well-formed at line 1 (mismatched tag)"),
    ("<a>", "the XML is not well-formed at line 1 (no element found)"),
    (
      "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "the XML declares an entity, which is not allowed"
    ),
    (
      "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
      "the XML declares an entity, which is not allowed"
    ),
    (
      "<!DOCTYPE a SYSTEM \"http://example.org/a.dtd\"><a>&b;</a>",
      "the XML uses an entity that it doesn't declare"
    ),
    ("<a>&b;</a>", "the XML is not well-formed at line 1 (undefined entity)"),
    (String(repeating: "<a>", count: 200), "the XML nests deeper than 128 levels"),
  ]

  @Test(arguments: refused)
  func refuses(text: String, reason: String) {
    #expect(throws: ArchiveError(reason)) { try read(text) }
  }

  @Test func capsTheNumberOfElements() {
    let text = "<a>" + String(repeating: "<b/>", count: XMLReader.elementLimit) + "</a>"
    #expect(throws: ArchiveError("the XML has more than 1000000 elements")) { try read(text) }
  }

  static let list = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>array</key><array><true/><false/><integer>-7</integer>
    <integer>0xFF</integer><integer>18446744073709551615</integer><real>0.5</real></array>
    <key>data</key><data>
      AAEC Aw==
    </data><key>date</key><date>2024-02-29T12:00:00Z</date><key>string</key><string> a &lt; b </string>
    <key>uid</key><dict><key>CF$UID</key><integer>7</integer></dict><key>empty</key><dict/></dict></plist>
    """

  @Test func readsPropertyLists() throws {
    #expect(
      try XMLPropertyList.read(Array(Self.list.utf8)) == [
        "array": .array([.bool(true), .bool(false), .integer(-7), .integer(255), .unsigned(.max), .real(0.5)]
        ),
        "data": .data([0, 1, 2, 3]), "date": .date(CoreDataDate(unixSeconds: 1_709_208_000)),
        "string": .string(" a < b "), "uid": .uid(7), "empty": [:],
      ])
  }

  @Test(arguments: [
    ("<plist/>", "the XML property list holds 0 values instead of one"),
    ("<plist><key>a</key></plist>", "the XML property list has an unknown element 'key'"),
    (
      "<plist><dict><key>a</key></dict></plist>",
      "the XML property list has a dictionary whose keys and values don't pair"
    ),
    ("<integer>x</integer>", "the XML property list has 'x' as a value of type integer"),
    ("<data>A</data>", "the XML property list has 'A' as a value of type data"),
    ("<date>today</date>", "the XML property list has 'today' as a value of type date"),
  ])
  func refusesPropertyLists(text: String, reason: String) {
    #expect(throws: ArchiveError(reason)) { try XMLPropertyList.read(Array(text.utf8)) }
  }

  /// A list, or an error that says why not.
  @Test func survivesDamage() {
    let original = Array(Self.list.utf8)
    for bytes in HostileInput.truncations(of: original) + HostileInput.mutations(of: original, count: 3000) {
      do { _ = try XMLPropertyList.read(bytes) } catch {
        #expect(!"\(error)".isEmpty)
      }
    }
  }

  @Test(
    arguments: [
      ("", []), ("Zg==", [0x66]), ("Zm8=", [0x66, 0x6F]), ("Zm9v", [0x66, 0x6F, 0x6F]),
      (" Z m\n9\tv ", [0x66, 0x6F, 0x6F]), ("+/+/", [0xFB, 0xFF, 0xBF]), ("Zg=", nil), ("Zg", nil),
      ("Z", nil),
      ("Zg==Zg==", nil), ("Zm9v=", nil), ("Z*==", nil),
    ] as [(String, [UInt8]?)])
  func readsBase64(text: String, bytes: [UInt8]?) {
    #expect(Base64.decode(text) == bytes)
  }
}
