import LeapBlocks

/// One entry of the tensor section: the description of a tensor, checked as far as that is possible without knowing
/// where the data section starts.
struct TensorDescription {
    let name: String
    let type: GGMLType
    let dimensions: [Int]
    let elementCount: Int
    let byteCount: Int
    /// Bytes from the start of the data section.
    let dataOffset: UInt64

    /// A name of one letter and one dimension.
    static let smallestSize = 8 + 1 + 4 + 8 + 4 + 8

    /// Reads the entry at the cursor.
    init(index: Int, _ cursor: inout ByteCursor) throws(GGUFError) {
        let file = cursor.file.name
        let name = try Self.readName(index, &cursor)
        let sizes = try Self.readDimensions(name, &cursor)
        let typeNumber: UInt32 = try cursor.integer(.tensorType(tensor: name))
        guard let type = GGMLType(rawValue: typeNumber) else {
            throw .tensor(file: file, name: name, .unknownType(typeNumber))
        }
        let shape = try Self.shape(sizes, type, name, file)
        self.name = name
        self.type = type
        dimensions = shape.dimensions
        elementCount = shape.elementCount
        byteCount = shape.byteCount
        dataOffset = try cursor.integer(.tensorOffset(tensor: name))
    }

    private static func readName(_ index: Int, _ cursor: inout ByteCursor) throws(GGUFError) -> String {
        let start = cursor
        let range = try cursor.string(.tensorName(index: index))
        guard !range.isEmpty else { throw start.error(.emptyName(.tensorName(index: index))) }
        let limit = GGUFLimits.tensorNameLength
        guard range.count <= limit else {
            throw start.error(.longName(.tensorName(index: index), length: range.count, limit: limit))
        }
        guard let name = String(validating: cursor.file[range], as: UTF8.self) else {
            throw start.error(.nameNotUTF8(.tensorName(index: index)))
        }
        return name
    }

    private static func readDimensions(
        _ name: String, _ cursor: inout ByteCursor
    ) throws(GGUFError) -> [UInt64] {
        let count: UInt32 = try cursor.integer(.dimensionCount(tensor: name))
        guard (1...UInt32(GGUFLimits.dimensions)).contains(count) else {
            throw .tensor(file: cursor.file.name, name: name, .dimensionCount(count))
        }
        var dimensions: [UInt64] = []
        for index in 0..<Int(count) {
            let size: UInt64 = try cursor.integer(.dimensions(tensor: name))
            guard size > 0 else {
                throw .tensor(file: cursor.file.name, name: name, .emptyDimension(index: index))
            }
            dimensions.append(size)
        }
        return dimensions
    }

    private static func shape(
        _ sizes: [UInt64], _ type: GGMLType, _ name: String, _ file: String
    ) throws(GGUFError) -> TensorShape {
        let dimensions = sizes.compactMap { Int(exactly: $0) }
        guard dimensions.count == sizes.count, let elements = product(dimensions) else {
            throw .tensor(file: file, name: name, .tooLarge(dimensions: sizes))
        }
        guard dimensions[0].isMultiple(of: type.elementsPerBlock) else {
            let problem = GGUFError.TensorProblem.partialBlock(
                type: type.name, columns: dimensions[0], elementsPerBlock: type.elementsPerBlock)
            throw .tensor(file: file, name: name, problem)
        }
        guard let bytes = type.byteCount(elements: elements) else {
            throw .tensor(file: file, name: name, .tooLarge(dimensions: sizes))
        }
        return TensorShape(dimensions: dimensions, elementCount: elements, byteCount: bytes)
    }
}

/// The size of a tensor.
struct TensorShape {
    let dimensions: [Int]
    let elementCount: Int
    let byteCount: Int
}

/// The product of factors, or `nil` if it overflows.
func product(_ factors: [Int]) -> Int? {
    var product = 1
    for factor in factors {
        let (next, overflow) = product.multipliedReportingOverflow(by: factor)
        if overflow { return nil }
        product = next
    }
    return product
}

/// The next multiple of a power of two, or `nil` if it overflows.
func aligned(_ offset: Int, to alignment: Int) -> Int? {
    let (sum, overflow) = offset.addingReportingOverflow(alignment - 1)
    return overflow ? nil : sum & ~(alignment - 1)
}
