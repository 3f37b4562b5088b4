/// Watches every object URI go by that was found in the app's own values, and says in the end what it found.
package protocol ValueObserver: AnyObject {
  func visit(_ reference: FoundReference) throws
  func finish(_ findings: inout FindingCollector) throws
}

/// An object URI inside of a value.
package struct FoundReference {
  /// The URI of the object that keeps it, or nil where a framework's table does.
  package var holder: String?
  /// The number of the entity that keeps it.
  package var entity: Int64?
  /// Where in it: the property's name, with the path within where the value is structured.
  package var place: String
  /// The URI as it was found.
  package var uri: String
}
