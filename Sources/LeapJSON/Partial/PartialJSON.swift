import OrderedCollections

/// A JSON value of which possibly only the beginning is available.
///
/// Strings, arrays and objects appear with their first character and grow; numbers, `true`, `false` and `null` appear
/// once they can no longer change. Only what was read last can be incomplete: the value itself, its last member or
/// element, the last one within that, and so on.
public struct PartialJSON: Sendable, Hashable {
    /// The value so far.
    public let value: JSONValue
    /// The number of incomplete levels, from this value down through the last members and elements.
    private let openLevels: Int

    init(_ value: JSONValue, openLevels: Int) {
        self.value = value
        self.openLevels = openLevels
    }

    /// Creates a partial value that is complete.
    public init(_ value: JSONValue) {
        self.init(value, openLevels: 0)
    }

    /// Whether the value is complete, so that nothing can be added.
    public var isComplete: Bool { openLevels == 0 }

    /// Whether the value is an object.
    public var isObject: Bool { value.object != nil }

    /// The elements of an array so far; empty for anything else.
    public var elements: [PartialJSON] {
        guard let elements = value.array else { return [] }
        return elements.indices.map { index in
            PartialJSON(elements[index], openLevels: levels(isLast: index == elements.endIndex - 1))
        }
    }

    /// The members of an object so far, in the order in which they were read; empty for anything else.
    public var members: [(key: String, value: PartialJSON)] {
        guard let members = value.object else { return [] }
        return members.elements.indices.map { index in
            let (key, value) = members.elements[index]
            return (key, PartialJSON(value, openLevels: levels(isLast: index == members.count - 1)))
        }
    }

    /// The value of an object's key; `nil` if its first character has not been read yet.
    public subscript(key: String) -> PartialJSON? {
        guard let members = value.object, let index = members.index(forKey: key) else { return nil }
        return PartialJSON(members.elements[index].value, openLevels: levels(isLast: index == members.count - 1))
    }

    private func levels(isLast: Bool) -> Int {
        isLast ? max(openLevels - 1, 0) : 0
    }
}
