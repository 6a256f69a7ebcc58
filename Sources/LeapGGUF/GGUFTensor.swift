public import LeapBlocks

/// A tensor in a file: its description and a view of its bytes.
///
/// A tensor keeps the file's bytes alive.
public struct GGUFTensor: Sendable {
    /// The name, such as `blk.0.attn_q.weight`.
    public let name: String

    /// The element type.
    public let type: GGMLType

    /// One to four dimensions in ggml's order: `dimensions[0]` elements (columns) are contiguous, `dimensions[1]`
    /// counts rows.
    public let dimensions: [Int]

    /// The product of the dimensions.
    public let elementCount: Int

    /// The size of the data in bytes.
    public let byteCount: Int

    /// The offset of the data in bytes from the start of the file; in a split set, of its shard.
    public let fileOffset: Int

    /// The bytes of the file, or shard, that holds the tensor.
    let file: FileBytes

    /// A view of the data, which is not copied. It is valid as long as this tensor or its ``GGUFFile`` is alive.
    public var bytes: UnsafeRawBufferPointer { file[fileOffset..<fileOffset + byteCount] }

    /// The same tensor under another name.
    func named(_ name: String) -> GGUFTensor {
        GGUFTensor(
            name: name, type: type, dimensions: dimensions, elementCount: elementCount, byteCount: byteCount,
            fileOffset: fileOffset, file: file)
    }
}
