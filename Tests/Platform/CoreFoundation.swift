// swift-format-ignore-file
// Of Core Foundation what `Sources/Base` uses, with Apple's names:
// https://developer.apple.com/documentation/corefoundation/cfstring

public class CFString {}
public class CFMutableString: CFString {}
public class CFAllocator {}
public typealias CFIndex = Int
public typealias CFStringEncoding = UInt32
public struct CFRange {}
public enum CFStringBuiltInEncodings: UInt32 { case UTF8 = 0x0800_0100 }
public enum CFStringNormalizationForm: Int { case D, KD, C, KC }

public func CFRangeMake(_ location: CFIndex, _ length: CFIndex) -> CFRange { CFRange() }
public func CFStringCreateWithBytes(
  _ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>?, _ count: CFIndex, _ encoding: CFStringEncoding,
  _ isExternalRepresentation: Bool
) -> CFString? { nil }
public func CFStringCreateMutableCopy(
  _ allocator: CFAllocator?, _ maxLength: CFIndex, _ string: CFString?
) -> CFMutableString? { nil }
public func CFStringNormalize(_ string: CFMutableString?, _ form: CFStringNormalizationForm) {}
public func CFStringGetLength(_ string: CFString?) -> CFIndex { 0 }
@discardableResult
public func CFStringGetBytes(
  _ string: CFString?, _ range: CFRange, _ encoding: CFStringEncoding, _ lossByte: UInt8,
  _ isExternalRepresentation: Bool, _ buffer: UnsafeMutablePointer<UInt8>?, _ maxLength: CFIndex,
  _ usedLength: UnsafeMutablePointer<CFIndex>?
) -> CFIndex { 0 }
