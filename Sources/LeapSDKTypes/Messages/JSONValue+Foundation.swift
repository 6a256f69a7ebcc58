import Foundation
package import LeapJSON
import OrderedCollections

extension JSONValue {
    /// The value as an object of `JSONSerialization`: `String`, `NSNumber`, `Bool`, `NSNull`, `[Any]` or
    /// `[String: Any]`. A number can be cast to every type that represents it: `5` to `Int` and to `Double`. A number
    /// that neither `Int`, `UInt64` nor `Double` can represent becomes a string, because a rounded account number would
    /// be wrong.
    var foundation: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): NSNumber(value: value)
        case .largeInteger(let digits): UInt64(digits).map { NSNumber(value: $0) } ?? digits
        case .exactNumber(let text): text
        case .number(let value): NSNumber(value: value)
        case .string(let value): value
        case .array(let elements): elements.map(\.foundation)
        case .object(let members): Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.foundation) })
        }
    }

    /// Converts an object of `JSONSerialization`. Keys are sorted, because a dictionary has no order.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if JSON cannot express the value.
    package init(foundation value: Any) throws(LeapError) {
        // Before numbers: as an `NSNumber` it has the type code of booleans.
        if type(of: value) == Int8.self, let value = value as? Int8 {
            self = .integer(Int(value))
            return
        }
        switch value {
        case let value as String: self = .string(value)
        case let value as NSNumber:
            guard value.doubleValue.isFinite else {
                throw .serializationFailure("\(value.doubleValue) cannot be encoded as JSON", nil)
            }
            self = .init(number: value)
        // After numbers, because on Apple's systems these are lengths of graphics too.
        case let value as CGFloat: self = try .init(foundation: Double(value))
        case let value as Substring: self = .string(String(value))
        case is NSNull, Optional<Any>.none: self = .null
        case let values as [Any]:
            self = .array(try values.map { value throws(LeapError) in try .init(foundation: value) })
        case let members as [String: Any]: self = try .init(members: members)
        default: throw .serializationFailure("a value of type \(type(of: value)) cannot be encoded as JSON", nil)
        }
    }

    private init(members: [String: Any]) throws(LeapError) {
        var object: OrderedDictionary<String, JSONValue> = [:]
        for (key, value) in members.sorted(by: { $0.key < $1.key }) { object[key] = try .init(foundation: value) }
        self = .object(object)
    }

    /// A boolean is a number with the type code of a character; whole numbers have integer type codes.
    private init(number: NSNumber) {
        switch String(cString: number.objCType) {
        case "c", "B": self = (0...1).contains(number.intValue) ? .bool(number.boolValue) : .integer(number.intValue)
        case "d", "f": self = .number(number.doubleValue)
        case "Q" where number.uint64Value > UInt64(Int.max): self = .largeInteger(String(number.uint64Value))
        default: self = .integer(number.intValue)
        }
    }
}
