import OrderedCollections

/// A JSON value of which perhaps only the beginning is written yet.
///
/// Strings, arrays and objects are there from their first character on and grow; numbers, `true`, `false` and `null` are
/// there when nothing can change them any more. Only what was written last can be unfinished: the value itself, its
/// last member or element, that one's last one, and so on.
public struct PartialJSON: Sendable, Hashable {
    /// What is written so far.
    public let value: JSONValue
    /// How many levels, from this value down through the last members and elements, are unfinished.
    private let openLevels: Int

    init(_ value: JSONValue, openLevels: Int) {
        self.value = value
        self.openLevels = openLevels
    }

    /// A value that is all there.
    public init(_ value: JSONValue) {
        self.init(value, openLevels: 0)
    }

    /// Whether nothing can be added to the value.
    public var isComplete: Bool { openLevels == 0 }

    /// Whether the value is an object.
    public var isObject: Bool { value.object != nil }

    /// The elements of an array so far; none of anything else.
    public var elements: [PartialJSON] {
        guard let elements = value.array else { return [] }
        return elements.indices.map { index in
            PartialJSON(elements[index], openLevels: levels(isLast: index == elements.endIndex - 1))
        }
    }

    /// The keys and values of an object so far, in the order in which they were written; none of anything else.
    public var members: [(key: String, value: PartialJSON)] {
        guard let members = value.object else { return [] }
        return members.elements.indices.map { index in
            let (key, value) = members.elements[index]
            return (key, PartialJSON(value, openLevels: levels(isLast: index == members.count - 1)))
        }
    }

    /// The value of a key of an object; nil if its first character is not written yet.
    public subscript(key: String) -> PartialJSON? {
        guard let members = value.object, let index = members.index(forKey: key) else { return nil }
        return PartialJSON(members.elements[index].value, openLevels: levels(isLast: index == members.count - 1))
    }

    private func levels(isLast: Bool) -> Int {
        isLast ? max(openLevels - 1, 0) : 0
    }
}
