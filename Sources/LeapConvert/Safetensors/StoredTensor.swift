import LeapGGUF

/// A tensor of a safetensors file.
package struct StoredTensor: Sendable {
    package let name: String
    package let type: ElementType
    /// In the file's order, which is PyTorch's: the last dimension is contiguous. Empty for a scalar.
    package let shape: [Int]
    /// The range of its bytes in the file.
    let range: Range<Int>
    let file: MappedFile

    /// Its bytes.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: file.bytes[range]) }

    /// The total number of elements.
    var elementCount: Int { shape.reduce(1, *) }
}
