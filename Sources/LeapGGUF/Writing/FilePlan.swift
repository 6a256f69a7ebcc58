import LeapBlocks

/// A tensor that a file will hold.
struct PlannedTensor: Sendable {
    let name: String
    let type: GGMLType
    let dimensions: [Int]
    let byteCount: Int
}

/// Where the tensors of a file to be written will be.
struct FilePlan {
    /// The file's name, for errors.
    let file: String
    let alignment: Int
    let tensors: [PlannedTensor]

    /// Where each tensor starts, in bytes from the start of the data section.
    private(set) var offsets: [Int] = []
    /// Bytes of the data section, with the padding after the last tensor.
    private(set) var size = 0

    /// Bytes where a file does not say. Source: the GGUF specification, `general.alignment`.
    static let defaultAlignment = 32

    init(file: String, alignment: Int, tensors: [PlannedTensor]) throws(GGUFError) {
        self.file = file
        self.alignment = alignment
        self.tensors = tensors
        var end = 0
        for tensor in tensors {
            offsets.append(end)
            let (dataEnd, overflow) = end.addingReportingOverflow(tensor.byteCount)
            guard !overflow, let paddedEnd = aligned(dataEnd, to: alignment) else {
                throw .write(file: file, .tooLarge)
            }
            end = paddedEnd
        }
        size = end
    }

    /// Zero bytes between a position and the next multiple of the alignment.
    func padding(after count: Int) -> Int { count.isMultiple(of: alignment) ? 0 : alignment - count % alignment }
}
