import Base
import StoreModel

/// The demo's model: a travel journal. Small, and yet with every kind of attribute and relationship that a store
/// mirrored to CloudKit can hold: nothing unique or ordered, every relationship optional and with an inverse, and a
/// default for what isn't optional
/// (https://developer.apple.com/documentation/coredata/creating-a-core-data-model-for-cloudkit).
enum DemoModel {
  static let model = ManagedObjectModel(
    entities: [attachment, entry, packingItem, person, place, city, landmark, tag, trip],
    versionIdentifiers: ["Journeys 3"])

  private static let trip = EntityDescription(
    name: "Trip", className: "Trip",
    attributes: [
      AttributeDescription(name: "budget", type: .decimal, valueClassName: "NSDecimalNumber"),
      AttributeDescription(
        name: "companions", type: .transformable, valueTransformerName: "NSSecureUnarchiveFromData",
        valueClassName: "NSArray"),
      AttributeDescription(
        name: "cover", type: .binary, allowsExternalStorage: true, valueClassName: "NSData"),
      AttributeDescription(name: "endDate", type: .date, valueClassName: "NSDate"),
      AttributeDescription(
        name: "identifier", type: .uuid, preservesValueOnDeletion: true, valueClassName: "NSUUID"),
      AttributeDescription(
        name: "isArchived", type: .boolean, isOptional: false, valueClassName: "NSNumber", defaultValue: false
      ),
      AttributeDescription(
        name: "mapStyle", type: .transformable, valueTransformerName: "MapStyleTransformer",
        valueClassName: "MapStyle"),
      AttributeDescription(
        name: "mood", type: .composite,
        elements: [AttributeDescription(name: "mood", type: .string, valueClassName: "NSString")],
        userInfo: ["EnumType": "true"]),
      AttributeDescription(name: "startDate", type: .date, valueClassName: "NSDate"),
      AttributeDescription(
        name: "title", type: .string, isOptional: false, preservesValueOnDeletion: true,
        valueClassName: "NSString", defaultValue: "Untitled"),
    ],
    relationships: [
      RelationshipDescription(
        name: "entries", destination: "Entry", inverse: "trip", isToMany: true, deleteRule: .cascade),
      RelationshipDescription(
        name: "packingList", destination: "PackingItem", inverse: "trip", isToMany: true, deleteRule: .cascade
      ),
      RelationshipDescription(name: "participants", destination: "Person", inverse: "trips", isToMany: true),
      RelationshipDescription(name: "places", destination: "Place", inverse: "trips", isToMany: true),
    ])

  private static let entry = EntityDescription(
    name: "Entry", className: "Entry",
    attributes: [
      AttributeDescription(name: "date", type: .date, valueClassName: "NSDate"),
      AttributeDescription(name: "rating", type: .float, valueClassName: "NSNumber"),
      AttributeDescription(name: "text", type: .string, valueClassName: "NSString"),
      AttributeDescription(name: "thumbnail", type: .binary, valueClassName: "NSData"),
      AttributeDescription(name: "title", type: .string, valueClassName: "NSString"),
      AttributeDescription(
        name: "weather", type: .composite,
        elements: [
          AttributeDescription(name: "condition", type: .string, valueClassName: "NSString"),
          AttributeDescription(name: "temperature", type: .double, valueClassName: "NSNumber"),
          AttributeDescription(name: "hourly", type: .binary, valueClassName: "NSData"),
        ]),
      AttributeDescription(
        name: "wordCount", type: .integer32, isOptional: false, valueClassName: "NSNumber", defaultValue: 0),
    ],
    relationships: [
      RelationshipDescription(
        name: "attachments", destination: "Attachment", inverse: "entry", isToMany: true, deleteRule: .cascade
      ),
      RelationshipDescription(name: "place", destination: "Place", inverse: "entries"),
      RelationshipDescription(name: "tags", destination: "Tag", inverse: "entries", isToMany: true),
      RelationshipDescription(name: "trip", destination: "Trip", inverse: "entries"),
    ])

  private static let attachment = EntityDescription(
    name: "Attachment", className: "Attachment",
    attributes: [
      AttributeDescription(name: "byteCount", type: .integer64, valueClassName: "NSNumber"),
      AttributeDescription(
        name: "data", type: .binary, allowsExternalStorage: true, valueClassName: "NSData"),
      AttributeDescription(
        name: "fileName", type: .string, isOptional: false, valueClassName: "NSString", defaultValue: ""),
    ], relationships: [RelationshipDescription(name: "entry", destination: "Entry", inverse: "attachments")])

  private static let packingItem = EntityDescription(
    name: "PackingItem", className: "PackingItem",
    attributes: [
      AttributeDescription(
        name: "isPacked", type: .boolean, isOptional: false, valueClassName: "NSNumber", defaultValue: false),
      AttributeDescription(
        name: "name", type: .string, isOptional: false, valueClassName: "NSString", defaultValue: ""),
      AttributeDescription(
        name: "quantity", type: .integer16, isOptional: false, valueClassName: "NSNumber", defaultValue: 1),
    ], relationships: [RelationshipDescription(name: "trip", destination: "Trip", inverse: "packingList")])

  private static let person = EntityDescription(
    name: "Person", className: "Person",
    attributes: [
      AttributeDescription(name: "birthday", type: .date, valueClassName: "NSDate"),
      AttributeDescription(name: "email", type: .string, valueClassName: "NSString"),
      AttributeDescription(
        name: "name", type: .string, isOptional: false, valueClassName: "NSString", defaultValue: ""),
    ],
    relationships: [
      RelationshipDescription(name: "friends", destination: "Person", inverse: "friends", isToMany: true),
      RelationshipDescription(name: "trips", destination: "Trip", inverse: "participants", isToMany: true),
    ])

  private static let place = EntityDescription(
    name: "Place", isAbstract: true, className: "Place",
    attributes: [
      AttributeDescription(name: "latitude", type: .double, valueClassName: "NSNumber"),
      AttributeDescription(name: "longitude", type: .double, valueClassName: "NSNumber"),
      AttributeDescription(
        name: "name", type: .string, isOptional: false, valueClassName: "NSString", defaultValue: ""),
      AttributeDescription(name: "website", type: .uri, valueClassName: "NSURL"),
    ],
    relationships: [
      RelationshipDescription(name: "entries", destination: "Entry", inverse: "place", isToMany: true),
      RelationshipDescription(name: "trips", destination: "Trip", inverse: "places", isToMany: true),
    ])

  private static let city = EntityDescription(
    name: "City", superentity: "Place", className: "City",
    attributes: [
      AttributeDescription(name: "country", type: .string, valueClassName: "NSString"),
      AttributeDescription(name: "population", type: .integer64, valueClassName: "NSNumber"),
    ],
    relationships: [
      RelationshipDescription(name: "landmarks", destination: "Landmark", inverse: "city", isToMany: true)
    ])

  private static let landmark = EntityDescription(
    name: "Landmark", superentity: "Place", className: "Landmark",
    attributes: [
      AttributeDescription(name: "builtYear", type: .integer32, valueClassName: "NSNumber"),
      AttributeDescription(name: "isFree", type: .boolean, valueClassName: "NSNumber"),
    ], relationships: [RelationshipDescription(name: "city", destination: "City", inverse: "landmarks")])

  private static let tag = EntityDescription(
    name: "Tag", className: "Tag",
    attributes: [
      AttributeDescription(
        name: "name", type: .string, isOptional: false, valueClassName: "NSString", defaultValue: "")
    ],
    relationships: [
      RelationshipDescription(
        name: "children", destination: "Tag", inverse: "parent", isToMany: true, deleteRule: .cascade),
      RelationshipDescription(name: "entries", destination: "Entry", inverse: "tags", isToMany: true),
      RelationshipDescription(name: "parent", destination: "Tag", inverse: "children"),
    ])
}
