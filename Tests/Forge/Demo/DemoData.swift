import Archives

/// The demo's places, people and texts. Places are real, with public figures; people are invented.
enum DemoData {
  struct City {
    var name: String
    var country: String
    var population: Int64
    var latitude: Double
    var longitude: Double
    var website: String?
  }

  struct Landmark {
    var name: String
    var city: String
    var builtYear: Int64
    var isFree: Bool
    var latitude: Double
    var longitude: Double
  }

  struct Person {
    var name: String
    var email: String?
    var birthday: String?
  }

  struct Entry {
    var savedAt: String
    var date: String
    var title: String
    var text: String
    var trip: String
    var place: String
    var tags: [String]
    var rating: Double?
    var weather: ForgeValue
    var colour: [Int]
  }

  static let cities = [
    City(
      name: "Lisbon", country: "Portugal", population: 545_796, latitude: 38.7223, longitude: -9.1393,
      website: "https://www.visitlisboa.com/en"),
    City(
      name: "Porto", country: "Portugal", population: 231_800, latitude: 41.1579, longitude: -8.6291,
      website: nil),
    City(
      name: "Kyoto", country: "Japan", population: 1_463_723, latitude: 35.0116, longitude: 135.7681,
      website: "https://kyoto.travel/en/"),
    City(
      name: "Göteborg", country: "Sweden", population: 587_549, latitude: 57.7089, longitude: 11.9746,
      website: nil),
  ]

  static let landmarks = [
    Landmark(
      name: "Belém Tower", city: "Lisbon", builtYear: 1519, isFree: false, latitude: 38.6916,
      longitude: -9.2160),
    Landmark(
      name: "Livraria Lello", city: "Porto", builtYear: 1906, isFree: false, latitude: 41.1468,
      longitude: -8.6148),
    Landmark(
      name: "Kinkaku-ji", city: "Kyoto", builtYear: 1397, isFree: false, latitude: 35.0394,
      longitude: 135.7292),
    Landmark(
      name: "Fushimi Inari", city: "Kyoto", builtYear: 711, isFree: true, latitude: 34.9671,
      longitude: 135.7727),
    Landmark(
      name: "Slottsskogen", city: "Göteborg", builtYear: 1874, isFree: true, latitude: 57.6850,
      longitude: 11.9426),
  ]

  static let people = [
    Person(name: "Ada Lindqvist", email: "ada@example.com", birthday: "1988-06-03T00:00:00Z"),
    Person(name: "Jonas Weber", email: "jonas@example.com", birthday: nil),
    Person(name: "Sofia Duarte", email: "sofia@example.com", birthday: "1990-02-14T00:00:00Z"),
    Person(name: "Mei Tanaka", email: nil, birthday: "1991-11-27T00:00:00Z"),
  ]

  static let friends = [("Ada Lindqvist", "Jonas Weber"), ("Sofia Duarte", "Jonas Weber")]

  /// Each with the name of its parent, which comes before it.
  static let tags: [(String, String?)] = [
    ("food", nil), ("pastry", "food"), ("coffee", "food"), ("sight", nil), ("temple", "sight"),
    ("garden", "sight"), ("transport", nil),
  ]

  static let entries = [
    Entry(
      savedAt: "2026-03-20T17:58:27.411Z", date: "2026-03-20T16:30:00Z", title: "Arrival",
      text: "Landed in the rain, and the city shone.", trip: "Lisbon trip", place: "Lisbon",
      tags: ["transport"], rating: 3.5,
      weather: ["condition": "rain", "temperature": 14.0, "hourly": .json("[13.5,14,14.2]")],
      colour: [70, 80, 110]),
    Entry(
      savedAt: "2026-03-21T12:20:45.096Z", date: "2026-03-21T09:10:00Z", title: "Pastéis",
      text: "Six of them. No regrets. 🥧", trip: "Lisbon trip", place: "Belém Tower",
      tags: ["pastry", "coffee"], rating: 5,
      weather: ["condition": "sun", "temperature": 19.5, "hourly": .json("[16,18,19.5]")],
      colour: [230, 180, 90]),
    Entry(
      savedAt: "2026-03-22T22:45:00.000Z", date: "2026-03-22T15:00:00.5Z", title: "Tram 28",
      text: "Yellow, crowded, uphill all the way.", trip: "Lisbon trip", place: "Lisbon",
      tags: ["transport", "sight"], rating: nil, weather: ["condition": "cloud", "temperature": 17.0],
      colour: [240, 200, 40]),
    Entry(
      savedAt: "2026-03-23T08:31:55.270Z", date: "2026-03-23T07:45:00Z", title: "Miradouro",
      text: "Breakfast above the roofs.", trip: "Lisbon trip", place: "Lisbon", tags: ["coffee", "sight"],
      rating: 4, weather: nil, colour: [250, 170, 120]),
    Entry(
      savedAt: "2026-03-27T21:02:18.664Z", date: "2026-03-27T20:15:00Z", title: "Ribeira at dusk",
      text: "Six bridges, one river, and the lodges lit up on the far bank.", trip: "Porto trip",
      place: "Porto", tags: ["sight"], rating: 4.25, weather: ["condition": "clear", "temperature": 15.5],
      colour: [60, 40, 90]),
    Entry(
      savedAt: "2026-03-28T13:37:40.902Z", date: "2026-03-28T10:30:00Z", title: "The staircase",
      text: "Queued for the stairs, stayed for the ceiling.", trip: "Porto trip", place: "Livraria Lello",
      tags: ["sight"], rating: 3, weather: ["condition": "rain", "temperature": 13.0], colour: [150, 40, 40]),
    Entry(
      savedAt: "2026-04-14T10:11:12.131Z", date: "2026-04-14T09:00:00Z", title: "A thousand gates",
      text: "Up before the crowds; only cats about.", trip: "Kyoto trip", place: "Fushimi Inari",
      tags: ["temple", "sight"], rating: 4.75, weather: ["condition": "mist", "temperature": 11.0],
      colour: [200, 60, 40]),
  ]

  /// An array of strings as Foundation archives it.
  static func archive(_ texts: [String]) -> [UInt8] {
    let archive = KeyedArchiveWriter()
    return archive.bytes(root: archive.array(texts.map { archive.string($0) }))
  }

  /// An object of a class of the app's own.
  static func mapStyle(scheme: String, zoom: Double) -> [UInt8] {
    let archive = KeyedArchiveWriter()
    let layers = archive.array(["paths", "water"].map { archive.string($0) })
    return archive.bytes(
      root: archive.object(
        "Journeys.MapStyle",
        fields: [
          ("scheme", .reference(archive.string(scheme))), ("zoom", .real(zoom)),
          ("layers", .reference(layers)),
        ]))
  }
}
