import Archives
import Base

/// What happens in the demo's journal, save by save.
struct DemoStory {
  private let forge: StoreForge
  private var objects: [String: ForgedObject] = [:]

  init(_ forge: StoreForge) { self.forge = forge }

  // MARK: March: the importer fills the journal

  mutating func importPlacesAndPeople() throws {
    try save(.importer, at: "2026-03-02T08:15:30.250Z") { story, save in
      for city in DemoData.cities {
        story.objects[city.name] = try save.insert(
          "City",
          [
            "name": .text(city.name), "country": .text(city.country), "population": .integer(city.population),
            "latitude": .real(city.latitude), "longitude": .real(city.longitude),
            "website": city.website.map { .text($0) } ?? .null,
          ])
      }
      for landmark in DemoData.landmarks {
        story.objects[landmark.name] = try save.insert(
          "Landmark",
          [
            "name": .text(landmark.name), "builtYear": .integer(landmark.builtYear),
            "isFree": .boolean(landmark.isFree), "latitude": .real(landmark.latitude),
            "longitude": .real(landmark.longitude),
          ], links: ["city": story[landmark.city]])
      }
    }
    try save(.importer, at: "2026-03-02T08:15:31.004Z") { story, save in
      for person in DemoData.people {
        story.objects[person.name] = try save.insert(
          "Person",
          [
            "name": .text(person.name), "email": person.email.map { .text($0) } ?? .null,
            "birthday": person.birthday.map { .date($0) } ?? .null,
          ])
      }
      for (one, other) in DemoData.friends {
        for one in story[one] { for other in story[other] { try save.link(one, "friends", other) } }
      }
      for (name, parent) in DemoData.tags {
        story.objects["#" + name] = try save.insert(
          "Tag", ["name": .text(name)], links: parent.map { ["parent": story["#" + $0]] } ?? [:])
      }
    }
  }

  // MARK: March: trips are planned

  mutating func planTrips() throws {
    try save(.app, at: "2026-03-02T19:40:12.118Z") { story, save in
      story.objects["Lisbon trip"] = try save.insert(
        "Trip",
        [
          "title": "Spring in Lisbon", "identifier": "0B6E8A52-3C1D-4B7F-8E25-6A4D9F01C3E7",
          "startDate": .date("2026-03-20T00:00:00Z"), "endDate": .date("2026-03-24T00:00:00Z"),
          "budget": 1249.5, "mood": "excited", "companions": .bytes(DemoData.archive(["Ada", "Jonas"])),
          "mapStyle": .bytes(DemoData.mapStyle(scheme: "terrain", zoom: 11.5)),
          "cover": .bytes(
            PixelImage.gradient(width: 16, height: 12, from: [30, 90, 200], to: [250, 190, 90]).png()),
        ],
        links: [
          "places": story["Lisbon", "Belém Tower"], "participants": story["Ada Lindqvist", "Jonas Weber"],
        ])
      for (name, quantity) in [("Passport", 1), ("Rain jacket", 2), ("Film rolls", 6), ("Phrase book", 1)] {
        story.objects[name] = try save.insert(
          "PackingItem", ["name": .text(name), "quantity": .integer(Int64(quantity))],
          links: ["trip": story["Lisbon trip"]])
      }
    }
    try save(.app, at: "2026-03-07T11:05:44.731Z") { story, save in
      story.objects["Kyoto trip"] = try save.insert(
        "Trip",
        [
          "title": "Temples of Kyoto", "identifier": "E2C94F07-75A8-4D36-B0F1-1D5B3A8C6E90",
          "startDate": .date("2026-04-14T00:00:00Z"), "endDate": .date("2026-04-22T00:00:00Z"),
          "budget": 4300, "mood": "curious",
        ], links: ["places": story["Kyoto", "Kinkaku-ji"], "participants": story["Ada Lindqvist"]])
      story.objects["Porto trip"] = try save.insert(
        "Trip",
        [
          "title": "A weekend in Porto", "identifier": "4C7D20E6-9B15-4A83-8F4E-D0A6C3B7E512",
          "startDate": .date("2026-03-27T00:00:00Z"), "endDate": .date("2026-03-29T00:00:00Z"),
          "budget": 310.75, "mood": "relaxed", "companions": .bytes(DemoData.archive(["Sofia"])),
        ],
        links: [
          "places": story["Porto", "Livraria Lello"], "participants": story["Sofia Duarte", "Ada Lindqvist"],
        ])
      story.objects["Draft trip"] = try save.insert(
        "Trip", ["title": "Somewhere warm?", "identifier": "9F4A1D38-26BE-4E0C-A7D3-C85E12F6B04B"])
      story.objects["Draft entry"] = try save.insert(
        "Entry", ["title": "Ideas", "date": .date("2026-03-07T11:05:00Z")],
        links: ["trip": story["Draft trip"]])
    }
    try save(.widget, at: "2026-03-19T21:12:03.502Z") { story, save in
      try story.update(save, "Passport", ["isPacked": true])
      try story.update(save, "Rain jacket", ["isPacked": true, "quantity": 1])
    }
  }

  // MARK: March and April: the journal grows

  mutating func travel() throws {
    try write("Lisbon trip")
    try save(.app, at: "2026-03-23T20:31:09.640Z") { story, save in
      let map = PixelImage.gradient(width: 224, height: 160, from: [60, 110, 80], to: [220, 210, 170]).png(
        isPacked: false)
      let ticket = Array("Tram 28, Martim Moniz – Campo de Ourique, 3.20 EUR\n".utf8)
      for (name, data) in [("lisbon-map.png", map), ("ticket.txt", ticket)] {
        story.objects[name] = try save.insert(
          "Attachment",
          ["fileName": .text(name), "data": .bytes(data), "byteCount": .integer(Int64(data.count))],
          links: ["entry": story["Tram 28"]])
      }
    }
    try write("Porto trip")
  }

  private mutating func write(_ trip: String) throws {
    for entry in DemoData.entries where entry.trip == trip {
      try save(.app, at: entry.savedAt) { story, save in
        story.objects[entry.title] = try save.insert(
          "Entry",
          [
            "title": .text(entry.title), "text": .text(entry.text), "date": .date(entry.date),
            "wordCount": .integer(Int64(entry.text.split(separator: " ").count)),
            "rating": entry.rating.map { .real($0) } ?? .null, "weather": entry.weather,
            "thumbnail": .bytes(
              PixelImage.gradient(width: 8, height: 8, from: entry.colour, to: [240, 240, 230]).png()),
          ],
          links: [
            "trip": story[entry.trip], "place": story[entry.place],
            "tags": entry.tags.flatMap { story["#" + $0] },
          ])
      }
    }
  }

  mutating func tidyUp() throws {
    // A background task that names no author.
    try save(.unnamed, at: "2026-03-29T03:00:00Z") { story, save in
      try story.update(save, "Lisbon", ["population": 567_131])
      try story.update(save, "Kyoto", ["population": 1_443_486])
    }
    try save(.app, at: "2026-04-02T18:22:51.087Z") { story, save in
      for trip in story["Draft trip"] { try save.delete(trip) }
      for item in story["Film rolls"] { try save.delete(item) }
    }
    try save(.app, at: "2026-04-05T09:14:20.333Z") { story, save in
      try story.update(save, "Lisbon trip", ["isArchived": true, "mood": "grateful"])
      try story.link(save, "Kyoto trip", "participants", "Mei Tanaka")
      for one in story["Mei Tanaka"] {
        for other in story["Ada Lindqvist"] { try save.link(one, "friends", other) }
      }
    }
    try save(.importer, at: "2026-04-11T07:30:00.900Z") { story, save in
      story.objects["#street food"] = try save.insert(
        "Tag", ["name": "street food"], links: ["parent": story["#food"]])
      try story.update(save, "Belém Tower", ["website": "https://www.torrebelem.gov.pt"])
    }
    try write("Kyoto trip")
  }

  // MARK: April: what is in the WAL only

  mutating func leaveInWAL() throws {
    try save(.app, at: "2026-04-16T13:47:58.215Z") { story, save in
      story.objects["Golden Pavilion"] = try save.insert(
        "Entry",
        [
          "title": "Golden Pavilion", "text": "The pond doubles it.", "date": .date("2026-04-16T06:20:00Z"),
          "wordCount": 4, "rating": 4.5, "weather": ["condition": "clear", "temperature": 17.5],
        ],
        links: [
          "trip": story["Kyoto trip"], "place": story["Kinkaku-ji"], "tags": story["#temple", "#garden"],
        ])
    }
    try save(.widget, at: "2026-04-17T22:05:10.001Z") { story, save in
      try story.update(save, "Golden Pavilion", ["rating": 5])
    }
    try save(.app, at: "2026-04-18T08:02:36.480Z") { story, save in
      try story.update(save, "Lisbon trip", ["budget": 1312.4])
      for file in story["ticket.txt"] { try save.delete(file) }
    }
  }

  // MARK: Shorthand

  private enum Author {
    case app, widget, importer, unnamed
  }

  private mutating func save(
    _ author: Author, at moment: String, _ body: (inout DemoStory, Save) throws -> Void
  ) throws {
    let bundle = "com.example.Journeys"
    let date = try DemoStore.moment(moment)
    var story = self
    switch author {
    case .app:
      try forge.save(author: "app", bundle: bundle, process: "Journeys", context: "viewContext", at: date) {
        try body(&story, $0)
      }
    case .widget:
      try forge.save(author: "widget", bundle: bundle + ".Widget", process: "JourneysWidget", at: date) {
        try body(&story, $0)
      }
    case .importer:
      try forge.save(author: "import", bundle: bundle, process: "Journeys", context: "importer", at: date) {
        try body(&story, $0)
      }
    case .unnamed:
      try forge.save(bundle: bundle, process: "Journeys", at: date) { try body(&story, $0) }
    }
    self = story
  }

  private subscript(names: String...) -> [ForgedObject] { names.compactMap { objects[$0] } }

  private func update(_ save: Save, _ name: String, _ values: [String: ForgeValue]) throws {
    for object in self[name] { try save.update(object, values) }
  }

  private func link(_ save: Save, _ owner: String, _ relationship: String, _ member: String) throws {
    for owner in self[owner] { for member in self[member] { try save.link(owner, relationship, member) } }
  }
}
