/// A metadata array: a view of the file, whose elements are decoded on access.
public struct GGUFArray: Sendable, RandomAccessCollection {
    /// The type of every element.
    public let elementType: GGUFValueType

    /// The elements' bytes, without the array's header.
    let range: Range<Int>

    private let file: FileBytes
    private let elements: Elements

    /// How an element is found.
    enum Elements: Sendable {
        case scalars(any GGUFScalar.Type, count: Int)
        case strings(GGUFStrings)
        case arrays([GGUFArray])
    }

    init(elementType: GGUFValueType, range: Range<Int>, elements: Elements, file: FileBytes) {
        self.elementType = elementType
        self.range = range
        self.elements = elements
        self.file = file
    }

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int {
        switch elements {
        case .scalars(_, let count): count
        case .strings(let strings): strings.count
        case .arrays(let arrays): arrays.count
        }
    }

    /// The element at an index.
    public subscript(index: Int) -> GGUFValue {
        precondition(indices.contains(index), "array index out of range")
        switch elements {
        case .scalars(let scalar, _):
            return scalar.init(ggufBytes: file.bytes, at: range.lowerBound + index * scalar.ggufSize).ggufValue
        case .strings(let strings): return .string(strings[index])
        case .arrays(let arrays): return .array(arrays[index])
        }
    }

    /// The elements as strings, or `nil` if they are not strings.
    public var strings: GGUFStrings? {
        if case .strings(let strings) = elements { strings } else { nil }
    }

    /// The elements as numbers of a type, which must be the array's element type.
    func scalars<Scalar: GGUFScalar>(_: Scalar.Type) -> [Scalar] {
        let bytes = bytes
        return (0..<count).map { Scalar(ggufBytes: bytes, at: $0 * Scalar.ggufSize) }
    }

    /// A description of the type: `array of string`, `array of array of uint32`.
    public var typeDescription: String {
        if case .arrays(let arrays) = elements, let first = arrays.first {
            return "array of \(first.typeDescription)"
        }
        return "array of \(elementType)"
    }

    /// The elements' bytes as stored in the file.
    var bytes: UnsafeRawBufferPointer { file[range] }
}

extension GGUFArray: Equatable {
    /// Whether two arrays have the same type and bytes.
    public static func == (left: GGUFArray, right: GGUFArray) -> Bool {
        left.elementType == right.elementType && left.count == right.count
            && left.bytes.elementsEqual(right.bytes)
    }
}
