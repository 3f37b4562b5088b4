import Forge
import Foundation
import StoreModel
import SystemCalls
import Values

/// A value as JSON should have it.
enum PrintedValue {
  static func matches(_ printed: Any?, _ value: ForgeValue, _ attribute: AttributeDescription) -> Bool {
    switch value {
    case .null:
      return printed is NSNull || (printed as? [String: Any])?.values.allSatisfy { $0 is NSNull } ?? false
    case .integer(let number): return (printed as? NSNumber)?.int64Value == number
    case .boolean(let flag): return printed as? Bool == flag
    case .real(let number):
      return (printed as? NSNumber)?.doubleValue
        == (attribute.type == .float ? Double(Float(number)) : number)
    case .text(let text): return printed as? String == (attribute.type == .uuid ? text.uppercased() : text)
    case .date(let date): return isDate(printed, date)
    case .bytes(let bytes):
      guard let blob = (printed as? [String: Any])?["blob"] as? [String: Any] else {
        return isJSON(printed, bytes)
      }
      return blob["bytes"] as? Int == bytes.count && (blob["kind"] as? String)?.isEmpty == false
        && blob["sha256"] as? String == bytes.withUnsafeBytes { SHA256.hexadecimal(of: $0) }
    case .composite(let parts):
      if attribute.isEnumeration {
        return parts.values.first.map { matches(printed, $0, attribute.elements[0]) } ?? false
      }
      if isNothing(value) { return matches(printed, .null, attribute) }
      guard let members = printed as? [String: Any] else { return false }
      return attribute.elements.allSatisfy { matches(members[$0.name], parts[$0.name] ?? .null, $0) }
    }
  }

  /// NULL in all columns.
  private static func isNothing(_ value: ForgeValue) -> Bool {
    guard case .composite(let parts) = value else { return value == .null }
    return parts.values.allSatisfy(isNothing)
  }

  static func isDate(_ printed: Any?, _ date: CoreDataDate) -> Bool {
    guard let text = printed as? String, text.hasSuffix("Z"), let read = ISO8601.parse(text) else {
      return false
    }
    return abs(read.seconds - date.seconds) < 0.000_001
  }

  /// Elements of composites keep JSON as bytes, and are shown as what it says.
  private static func isJSON(_ printed: Any?, _ bytes: [UInt8]) -> Bool {
    let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    return (printed as? NSObject).map { $0.isEqual(value) } ?? false
  }
}
