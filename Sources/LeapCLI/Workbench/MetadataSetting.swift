import ArgumentParser
import Foundation
import LeapGGUF
import LeapJSON
import LeapToolSupport

/// A key, an optional type, and a value as the user typed it.
struct MetadataSetting: ExpressibleByArgument, Sendable {
    let key: String
    private let kind: Kind?
    private let text: String

    /// The file that the value is read from, if it is.
    var inputs: [String] { if case .file? = kind { [text] } else { [] } }

    /// The form of a value.
    private enum Kind: Sendable {
        case single(GGUFValueType)
        case array(GGUFValueType)
        case file
    }

    private static let types: [(String, GGUFValueType)] = [
        ("u8", .uint8), ("i8", .int8), ("u16", .uint16), ("i16", .int16), ("u32", .uint32), ("i32", .int32),
        ("u64", .uint64), ("i64", .int64), ("f32", .float32), ("f64", .float64), ("bool", .bool), ("str", .string),
    ]

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
        text = String(argument[argument.index(after: sign)...])
        let name = argument[..<sign]
        guard let colon = name.lastIndex(of: ":") else {
            key = String(name)
            kind = nil
            return
        }
        key = String(name[..<colon])
        guard !key.isEmpty, let kind = Self.kind(name[name.index(after: colon)...]) else { return nil }
        self.kind = kind
    }

    private static func kind(_ name: Substring) -> Kind? {
        if name == "file" { return .file }
        let isArray = name.hasPrefix("[") && name.hasSuffix("]")
        let element = isArray ? name.dropFirst().dropLast() : name
        guard let type = types.first(where: { $0.0 == element })?.1 else { return nil }
        return isArray ? .array(type) : .single(type)
    }

    /// The value, of the given type or that of the existing key.
    func value(in file: GGUFFile) throws -> MetadataValue {
        let kind = try self.kind ?? existing(in: file)
        switch kind {
        case .file: return .single(.string(try InputFile.text(text)))
        case .single(let type):
            guard let value = Self.value(text, type) else { throw refusal("a value of type \(type)") }
            return .single(value)
        case .array(let type):
            guard let json = try? JSONValue(parsing: Data(text.utf8)), let elements = json.array else {
                throw refusal("a JSON array of type \(type)")
            }
            let values = elements.compactMap { Self.value($0, type) }
            guard values.count == elements.count else { throw refusal("a JSON array of type \(type)") }
            return .array(type, values)
        }
    }

    private func existing(in file: GGUFFile) throws -> Kind {
        switch file.metadata.value(key) {
        case .array(let array)?: return .array(array.elementType)
        case let value?: return .single(value.type)
        case nil:
            throw CommandError(
                "\(file.path): no key '\(key)': to add it, give its type, as in '\(key):str=…' or '\(key):u32=…'")
        }
    }

    private func refusal(_ expected: String) -> CommandError {
        CommandError("'\(key)' must be \(expected), not '\(text)'")
    }

    /// An element of an array; numbers may be given as texts, for those that JSON's do not reach.
    private static func value(_ json: JSONValue, _ type: GGUFValueType) -> GGUFValue? {
        if let text = json.string { return value(text, type) }
        return type == .string ? nil : value(json.text(), type)
    }

    /// A number; `nil` for one that the type would make infinite.
    private static func float<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ text: String) -> Number? {
        guard let number = Number(text), !number.isInfinite || !text.contains(where: \.isNumber) else { return nil }
        return number
    }

    private static func value(_ text: String, _ type: GGUFValueType) -> GGUFValue? {
        switch type {
        case .uint8: UInt8(text).map { .uint8($0) }
        case .int8: Int8(text).map { .int8($0) }
        case .uint16: UInt16(text).map { .uint16($0) }
        case .int16: Int16(text).map { .int16($0) }
        case .uint32: UInt32(text).map { .uint32($0) }
        case .int32: Int32(text).map { .int32($0) }
        case .uint64: UInt64(text).map { .uint64($0) }
        case .int64: Int64(text).map { .int64($0) }
        case .float32: float(text).map { .float32($0) }
        case .float64: float(text).map { .float64($0) }
        case .bool: Bool(text).map { .bool($0) }
        case .string: .string(text)
        case .array: nil
        }
    }
}

/// A value to be written.
enum MetadataValue: Sendable, Equatable {
    case single(GGUFValue)
    /// Values of one type.
    case array(GGUFValueType, [GGUFValue])

    func set(_ key: String, in writer: inout GGUFWriter) {
        switch self {
        case .single(let value): writer.set(key, value)
        case .array(let type, let values): writer.set(key, values, of: type)
        }
    }
}
