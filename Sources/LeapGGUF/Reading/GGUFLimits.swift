/// What a file may hold before it is refused.
///
/// A file's own size bounds most of its counts, but a description takes more memory than its bytes in the file. These
/// limits, far above any model that exists, keep the memory for opening a file below 64 MiB plus the file's size.
enum GGUFLimits {
    /// Metadata entries. Models have about 50.
    static let metadataEntries = 1 << 17

    /// Tensors. A mixture of experts with every expert apart has about 50,000.
    static let tensors = 1 << 17

    /// Elements of all arrays together. Large vocabularies with scores, types and merges have about 1,500,000. A string
    /// costs 4 bytes when the file is opened, a number 8 when it is read.
    static let arrayElements = 1 << 23

    /// Arrays inside of arrays, all together.
    static let nestedArrays = 1 << 16

    /// Levels of arrays in arrays.
    static let nesting = 8

    /// Bytes of a key. Source: the GGUF specification, `gguf_metadata_kv_t`.
    static let keyLength = 65_535

    /// Bytes of a tensor's name. Source: the GGUF specification, `gguf_tensor_info_t`.
    static let tensorNameLength = 64

    /// Dimensions of a tensor. Source: the GGUF specification, `gguf_tensor_info_t`.
    static let dimensions = 4

    /// Alignments of tensor data: multiples of 8 by the specification, powers of two because every reader aligns by
    /// masking, and at most a large page.
    static let alignment = 8...(1 << 21)

    /// Whether tensor data may have this alignment.
    static func isValid(alignment value: Int) -> Bool {
        alignment.contains(value) && value.nonzeroBitCount == 1
    }
}
