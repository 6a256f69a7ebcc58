/// Reads the tensor section and places every tensor in the file.
///
/// Tensors may stand in any order and with gaps, but each starts on a multiple of the alignment, ends within the file
/// and shares no byte with another.
struct TensorTable {
    private(set) var tensors: [GGUFTensor] = []
    /// The end of the last tensor; if there are no tensors, the end of their descriptions.
    private(set) var end: Int

    private let file: FileBytes
    private let alignment: Int
    /// Where the data section starts.
    private let dataStart: Int

    init(count: Int, cursor: ByteCursor, metadata: GGUFMetadata) throws(GGUFError) {
        var cursor = cursor
        file = cursor.file
        alignment = try metadata.tensorAlignment()
        let descriptions = try Self.descriptions(count, &cursor)
        end = cursor.offset
        guard let dataStart = aligned(cursor.offset, to: alignment) else {
            throw .path(file.name, .tooLarge(bytes: UInt64(file.size)))
        }
        self.dataStart = dataStart
        for description in descriptions { tensors.append(try place(description)) }
        try checkOverlap()
    }

    private static func descriptions(
        _ count: Int, _ cursor: inout ByteCursor
    ) throws(GGUFError) -> [TensorDescription] {
        var descriptions: [TensorDescription] = []
        var names: Set<String> = []
        for index in 0..<count {
            let description = try TensorDescription(index: index, &cursor)
            guard names.insert(description.name).inserted else {
                let problem = GGUFError.TensorProblem.duplicateName(otherFile: cursor.file.name)
                throw .tensor(file: cursor.file.name, name: description.name, problem)
            }
            descriptions.append(description)
        }
        return descriptions
    }

    private func place(_ description: TensorDescription) throws(GGUFError) -> GGUFTensor {
        guard description.dataOffset.isMultiple(of: UInt64(alignment)) else {
            throw problem(description.name, .misaligned(offset: description.dataOffset, alignment: alignment))
        }
        let (start, startOverflows) = UInt64(dataStart).addingReportingOverflow(description.dataOffset)
        let (end, endOverflows) = start.addingReportingOverflow(UInt64(description.byteCount))
        guard !startOverflows, !endOverflows, end <= UInt64(file.size) else {
            let end = startOverflows || endOverflows ? UInt64.max : end
            throw problem(description.name, .beyondEnd(end: end, fileSize: file.size))
        }
        return GGUFTensor(
            name: description.name, type: description.type, dimensions: description.dimensions,
            elementCount: description.elementCount, byteCount: description.byteCount,
            fileOffset: Int(start), file: file)
    }

    private mutating func checkOverlap() throws(GGUFError) {
        let inOrder = tensors.sorted { $0.fileOffset < $1.fileOffset }
        for (tensor, next) in zip(inOrder, inOrder.dropFirst()) {
            let end = tensor.fileOffset + tensor.byteCount
            guard end <= next.fileOffset else {
                throw problem(next.name, .overlap(with: tensor.name, offset: next.fileOffset, otherEnd: end))
            }
        }
        guard let last = inOrder.last else { return }
        end = last.fileOffset + last.byteCount
        try checkPadding(after: last)
    }

    /// Some writers pad the last tensor and some do not. A file that ends within the padding is neither's: it was cut.
    private func checkPadding(after last: GGUFTensor) throws(GGUFError) {
        let size = file.size
        guard let paddedEnd = aligned(end, to: alignment), size == end || size >= paddedEnd else {
            throw problem(last.name, .cutPadding(end: end, fileSize: size))
        }
    }

    private func problem(_ name: String, _ problem: GGUFError.TensorProblem) -> GGUFError {
        .tensor(file: file.name, name: name, problem)
    }
}

extension GGUFMetadata {
    /// The alignment of tensor data: by default 32 bytes. The specification makes it a `uint32`.
    func tensorAlignment() throws(GGUFError) -> Int {
        let key = "general.alignment"
        guard let value = value(key) else { return FilePlan.defaultAlignment }
        guard case .uint32(let alignment) = value else {
            let problem = GGUFError.MetadataProblem.wrongType(expected: "uint32", found: value.typeDescription)
            throw .metadata(file: fileName, key: key, problem)
        }
        guard GGUFLimits.isValid(alignment: Int(clamping: alignment)) else {
            let limits = GGUFLimits.alignment
            let problem = GGUFError.MetadataProblem.invalidAlignment(
                found: alignment, lowest: limits.lowerBound, highest: limits.upperBound)
            throw .metadata(file: fileName, key: key, problem)
        }
        return Int(alignment)
    }
}
