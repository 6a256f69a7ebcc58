import Foundation
package import LeapGGUF
import LeapJSON
import OrderedCollections

/// The table of contents of a safetensors file. Parsing validates it: nothing read later can lie outside the file.
///
///     header length u64 | header, a JSON object | data
///     "NAME": {"dtype": "BF16", "shape": [2, 3], "data_offsets": [begin, end]}     … for each tensor
///     "__metadata__": {"KEY": "TEXT"}
///
/// Offsets count from the first byte after the header. Tensors fill the data without gaps or overlaps.
/// Source: https://github.com/huggingface/safetensors, "Format".
package struct SafetensorsFile {
    /// In the order of their data.
    package let tensors: [StoredTensor]

    /// The longest header: that of a model with 10⁵ tensors has about ten million bytes.
    static let headerLimit = 100_000_000
    /// The longest name; readers of other formats accept far less.
    private static let nameLimit = 1_024
    /// The most dimensions of a tensor: those that PyTorch and NumPy support.
    private static let dimensionLimit = 64

    /// Opens a file.
    ///
    /// - Throws: ``ConversionError`` if it is malformed, ``GGUFError`` if its bytes cannot be read.
    package init(path: String) throws {
        try self.init(MappedFile(path: path))
    }

    /// Reads a file that is open.
    package init(_ file: MappedFile) throws {
        let header = try Self.header(file)
        let dataStart = 8 + header.count
        let document = try Self.document(header, file.path)
        var tensors: [StoredTensor] = []
        tensors.reserveCapacity(document.count)
        for (name, entry) in document {
            guard name != "__metadata__" else {
                try Self.checkMetadata(entry, file.path)
                continue
            }
            tensors.append(try Self.tensor(name, entry, file, dataStart: dataStart))
        }
        tensors.sort { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
        try Self.checkContinuity(tensors, file, dataStart: dataStart)
        try file.checkUnchanged()
        self.tensors = tensors
    }

    private static func header(_ file: MappedFile) throws(ConversionError) -> UnsafeRawBufferPointer {
        let bytes = file.bytes
        guard !bytes.starts(with: ConversionError.pointerBeginning) else { throw .gitLFSPointer(path: file.path) }
        guard bytes.count >= 8 else {
            throw .safetensors(
                path: file.path, problem: "expected 8 bytes of header length, found \(bytes.count) bytes")
        }
        let length = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        guard length <= UInt64(headerLimit) else {
            throw .safetensors(
                path: file.path, problem: "its header has \(length) bytes, but at most \(headerLimit) are expected")
        }
        guard length <= UInt64(bytes.count - 8) else {
            throw .safetensors(
                path: file.path, problem: "its header has \(length) bytes, but only \(bytes.count - 8) follow")
        }
        return UnsafeRawBufferPointer(rebasing: bytes[8..<8 + Int(length)])
    }

    private static func document(
        _ header: UnsafeRawBufferPointer, _ path: String
    ) throws(ConversionError) -> [(key: String, value: JSONValue)] {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: header, rejectsDuplicateKeys: true)
        } catch {
            throw .safetensors(path: path, problem: "its header is not valid JSON: \(error)")
        }
        guard let members = value.object else {
            throw .safetensors(path: path, problem: "its header is not a JSON object")
        }
        return members.map { ($0.key, $0.value) }
    }

    private static func tensor(
        _ name: String, _ entry: JSONValue, _ file: MappedFile, dataStart: Int
    ) throws(ConversionError) -> StoredTensor {
        func broken(_ problem: String) -> ConversionError {
            .safetensors(path: file.path, problem: "tensor '\(name.prefix(200))' \(problem)")
        }
        guard (1...nameLimit).contains(name.utf8.count) else {
            throw broken("has a name of \(name.utf8.count) bytes, but 1 to \(nameLimit) are expected")
        }
        guard let typeName = entry["dtype"]?.string else { throw broken("has no 'dtype'") }
        guard let type = ElementType(rawValue: typeName) else {
            // Perhaps a later version of the format, so that another download would not help.
            throw .file(
                path: file.path,
                problem: "tensor '\(name.prefix(200))' has the dtype '\(typeName.prefix(40))', which is not supported")
        }
        guard let shape = entry["shape"]?.naturalNumbers, shape.count <= dimensionLimit else {
            throw broken("has no 'shape' of at most \(dimensionLimit) natural numbers")
        }
        guard let offsets = entry["data_offsets"]?.naturalNumbers, offsets.count == 2, offsets[0] <= offsets[1] else {
            throw broken("has no 'data_offsets' with a start and an end")
        }
        guard let bits = bitCount(shape, type) else { throw broken("has the shape \(shape), which is too large") }
        guard bits.isMultiple(of: 8) else {
            throw broken("has the shape \(shape), which does not fill whole bytes as \(type)")
        }
        let count = bits / 8
        guard offsets[1] <= file.bytes.count - dataStart else {
            throw broken("ends at \(offsets[1]), but the data has \(file.bytes.count - dataStart) bytes")
        }
        guard offsets[1] - offsets[0] == count else {
            throw broken("has \(offsets[1] - offsets[0]) bytes, but \(shape) of \(type) takes \(count)")
        }
        return StoredTensor(
            name: name, type: type, shape: shape, range: dataStart + offsets[0]..<dataStart + offsets[1], file: file)
    }

    /// The texts that a file may have about itself.
    private static func checkMetadata(_ entry: JSONValue, _ path: String) throws(ConversionError) {
        guard entry == .null || entry.object?.values.allSatisfy({ $0.string != nil }) ?? false else {
            throw .safetensors(path: path, problem: "its '__metadata__' is not an object of texts")
        }
    }

    private static func bitCount(_ shape: [Int], _ type: ElementType) -> Int? {
        var count = type.bits
        for dimension in shape {
            let (product, overflows) = count.multipliedReportingOverflow(by: dimension)
            if overflows { return nil }
            count = product
        }
        return count
    }

    /// Rejects gaps and overlaps, and bytes after the last tensor.
    private static func checkContinuity(
        _ tensors: [StoredTensor], _ file: MappedFile, dataStart: Int
    ) throws(ConversionError) {
        var end = dataStart
        var last = "the header"
        for tensor in tensors {
            guard tensor.range.lowerBound == end else {
                let relation = tensor.range.lowerBound < end ? "overlaps" : "leaves a gap after"
                throw .safetensors(
                    path: file.path,
                    problem:
                        "tensor '\(tensor.name)' begins at \(tensor.range.lowerBound - dataStart) and \(relation) \(last)"
                )
            }
            end = tensor.range.upperBound
            last = "tensor '\(tensor.name)'"
        }
        guard end == file.bytes.count else {
            throw .safetensors(
                path: file.path, problem: "its data has \(file.bytes.count - end) bytes that belong to no tensor")
        }
    }
}

extension JSONValue {
    /// Non-negative integers; `nil` if the value is not an array of them.
    var naturalNumbers: [Int]? {
        guard let array else { return nil }
        var numbers: [Int] = []
        for element in array {
            guard case .integer(let number) = element, number >= 0 else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
