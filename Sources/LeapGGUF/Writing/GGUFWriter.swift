public import LeapBlocks

/// Collects metadata and tensor descriptions, and writes them as a GGUF file.
///
/// Tensor data is not collected but appended piece by piece while the file is written, in the order in which the
/// tensors were added, so that files of any size need little memory.
///
///     var writer = GGUFWriter()
///     writer.set("general.architecture", .string("llama"))
///     writer.set("tokenizer.ggml.tokens", strings: vocabulary)
///     try writer.addTensor("output_norm.weight", type: .F32, dimensions: [64])
///     try writer.write(to: "model.gguf") { output in try output.append(norm) }
///
/// A file that is read and then written with ``add(contentsOf:)`` and ``addTensor(_:)`` has the same bytes, provided
/// that its tensors follow one another and are padded as most writers do.
public struct GGUFWriter: Sendable {
    /// The version of the format.
    public enum Version: UInt32, Sendable, CaseIterable {
        /// The version of 2023.
        case v2 = 2
        /// The current version.
        case v3 = 3
    }

    /// The version to write.
    public var version: Version

    private var entries: [Entry] = []
    private var positions: [String: Int] = [:]
    private(set) var tensors: [PlannedTensor] = []
    private var tensorNames: Set<String> = []

    private struct Entry: Sendable {
        let key: String
        /// The type number and the value.
        let encodedValue: [UInt8]
    }

    /// Creates a writer without metadata and tensors.
    public init(version: Version = .v3) { self.version = version }

    // MARK: Metadata

    /// Sets the value of a key. An existing key keeps its position.
    ///
    /// `general.alignment`, a `uint32`, determines the alignment of tensor data; the default is 32 bytes.
    public mutating func set(_ key: String, _ value: GGUFValue) {
        set(key, encodedValue: GGUFEncoder.encoded { $0.append(typed: value) })
    }

    /// Sets a key to an array of numbers or Booleans.
    public mutating func set<Scalar: GGUFScalar>(_ key: String, array: some Collection<Scalar>) {
        set(
            key,
            encodedValue: GGUFEncoder.encoded { encoder in
                encoder.appendArrayHeader(Scalar.ggufType, count: array.count)
                for element in array { encoder.append(element) }
            })
    }

    /// Sets a key to an array of strings.
    public mutating func set(_ key: String, strings: some Collection<String>) {
        set(key, utf8Strings: strings.map(\.utf8))
    }

    /// Sets a key to an array of strings, given as bytes that need not be UTF-8.
    public mutating func set(_ key: String, utf8Strings: some Collection<some Collection<UInt8>>) {
        set(
            key,
            encodedValue: GGUFEncoder.encoded { encoder in
                encoder.appendArrayHeader(.string, count: utf8Strings.count)
                for string in utf8Strings { encoder.append(string: string) }
            })
    }

    /// Sets all keys of another file, in its order, copying the values byte for byte.
    public mutating func add(contentsOf metadata: GGUFMetadata) {
        for entry in metadata.entries {
            set(entry.key, encodedValue: Array(metadata.encodedValue(of: entry)))
        }
    }

    /// Removes a key.
    public mutating func remove(_ key: String) {
        entries.removeAll { $0.key == key }
        positions = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.key, $0) })
    }

    private mutating func set(_ key: String, encodedValue: [UInt8]) {
        let entry = Entry(key: key, encodedValue: encodedValue)
        if let position = positions[key] {
            entries[position] = entry
        } else {
            positions[key] = entries.count
            entries.append(entry)
        }
    }

    // MARK: Tensors

    /// Adds a tensor, whose data is appended when the file is written.
    ///
    /// - Parameters:
    ///   - name: The name, 1 to 64 bytes long.
    ///   - type: The element type.
    ///   - dimensions: One to four dimensions in ggml's order: `dimensions[0]` is contiguous.
    /// - Throws: ``GGUFError/write(file:_:)`` if the tensor is invalid.
    public mutating func addTensor(_ name: String, type: GGMLType, dimensions: [Int]) throws(GGUFError) {
        guard (1...GGUFLimits.tensorNameLength).contains(name.utf8.count) else {
            throw .write(file: Self.unnamed, .invalidTensorName(name))
        }
        guard let size = Self.byteCount(type, dimensions) else {
            let problem = GGUFError.WriteProblem.invalidDimensions(
                tensor: name, dimensions: dimensions, type: type.name)
            throw .write(file: Self.unnamed, problem)
        }
        guard tensorNames.insert(name).inserted else {
            throw .write(file: Self.unnamed, .duplicateTensor(name))
        }
        tensors.append(PlannedTensor(name: name, type: type, dimensions: dimensions, byteCount: size))
    }

    /// Adds a tensor with the description of another one. Its data must be appended as for any other tensor.
    ///
    /// - Throws: ``GGUFError/write(file:_:)`` if a tensor of this name was already added.
    public mutating func addTensor(_ tensor: GGUFTensor) throws(GGUFError) {
        try addTensor(tensor.name, type: tensor.type, dimensions: tensor.dimensions)
    }

    private static let unnamed = "a GGUF file"

    private static func byteCount(_ type: GGMLType, _ dimensions: [Int]) -> Int? {
        guard (1...GGUFLimits.dimensions).contains(dimensions.count), dimensions.allSatisfy({ $0 > 0 }),
            dimensions[0].isMultiple(of: type.elementsPerBlock)
        else { return nil }
        return product(dimensions).flatMap { type.byteCount(elements: $0) }
    }
}

// MARK: - Writing

extension GGUFWriter {
    /// Writes the file. It appears under its name only once it is complete; an existing file is replaced atomically.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - appendData: A closure that appends the data of all tensors in order, without padding.
    /// - Throws: ``GGUFError`` if the file cannot be written, and rethrows errors of `appendData`. No file is left
    ///   behind.
    public func write(to path: String, appendData: (GGUFOutput) throws -> Void = { _ in }) throws {
        let plan = try plan(for: path)
        let file = try NewFile(path: path)
        try write(plan, GGUFOutput(plan, .file(file)), appendData)
        try file.commit()
    }

    /// Returns the bytes of the file.
    ///
    /// - Parameter appendData: A closure that appends the data of all tensors in order, without padding.
    /// - Throws: ``GGUFError`` if the content is not a valid file, and rethrows errors of `appendData`.
    public func encoded(appendData: (GGUFOutput) throws -> Void = { _ in }) throws -> [UInt8] {
        let plan = try plan(for: Self.unnamed)
        let memory = MemorySink()
        try write(plan, GGUFOutput(plan, .memory(memory)), appendData)
        return memory.bytes
    }

    private func write(
        _ plan: FilePlan, _ output: GGUFOutput, _ appendData: (GGUFOutput) throws -> Void
    ) throws {
        try output.begin(header(plan))
        try appendData(output)
        try output.finish()
    }

    /// The size of the file, and where its header and the given data of tensors are.
    func outline(
        of file: String, _ data: [String: [UInt8]]
    ) throws(GGUFError) -> (size: Int, pieces: [(start: Int, bytes: [UInt8])]) {
        let plan = try plan(for: file)
        let header = header(plan)
        guard plan.size > 0 else { return (header.count, [(0, header)]) }
        let start = header.count + plan.padding(after: header.count)
        let (size, overflow) = start.addingReportingOverflow(plan.size)
        guard !overflow else { throw .write(file: file, .tooLarge) }
        let pieces = zip(tensors, plan.offsets).compactMap { tensor, offset in
            data[tensor.name].map { (start: start + offset, bytes: Array($0.prefix(tensor.byteCount))) }
        }
        return (size, [(start: 0, bytes: header)] + pieces)
    }

    private func plan(for file: String) throws(GGUFError) -> FilePlan {
        for entry in entries { try check(entry.key, file) }
        return try FilePlan(file: file, alignment: alignment(file), tensors: tensors)
    }

    private func check(_ key: String, _ file: String) throws(GGUFError) {
        let isValid =
            (1...GGUFLimits.keyLength).contains(key.utf8.count)
            && key.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        guard isValid else { throw .write(file: file, .invalidKey(key)) }
    }

    private func alignment(_ file: String) throws(GGUFError) -> Int {
        guard let position = positions["general.alignment"] else { return FilePlan.defaultAlignment }
        let value = entries[position].encodedValue
        let uint32 = GGUFEncoder.encoded { $0.append(GGUFValueType.uint32.rawValue) }
        guard value.count == 8, value.starts(with: uint32) else {
            throw .write(file: file, .invalidAlignment(found: "a value of another type"))
        }
        let alignment = Int(clamping: value.withUnsafeBytes { UInt32(ggufBytes: $0, at: 4) })
        guard GGUFLimits.isValid(alignment: alignment) else {
            throw .write(file: file, .invalidAlignment(found: grouped(alignment)))
        }
        return alignment
    }

    private func header(_ plan: FilePlan) -> [UInt8] {
        GGUFEncoder.encoded { encoder in
            encoder.append(bytes: "GGUF".utf8)
            encoder.append(version.rawValue)
            encoder.append(UInt64(tensors.count))
            encoder.append(UInt64(entries.count))
            for entry in entries {
                encoder.append(string: entry.key.utf8)
                encoder.append(bytes: entry.encodedValue)
            }
            for (tensor, offset) in zip(tensors, plan.offsets) { encoder.append(tensor, offset: offset) }
        }
    }
}

extension GGUFWriter {
    /// Sets a key to an array of values of one type, which must not be arrays.
    package mutating func set(_ key: String, _ values: [GGUFValue], of type: GGUFValueType) {
        let bytes = GGUFEncoder.encoded { encoder in
            encoder.appendArrayHeader(type, count: values.count)
            for value in values { encoder.append(value) }
        }
        set(key, encodedValue: bytes)
    }
}
