/// A location in a GGUF file, as named in errors.
public enum GGUFField: Hashable, Sendable {
    /// The four letters at the start.
    case magic
    /// The version of the format.
    case version
    /// The number of tensors.
    case tensorCount
    /// The number of metadata entries.
    case metadataCount
    /// The key of the metadata entry with an index.
    case key(index: Int)
    /// The type number of a key's value.
    case valueType(key: String)
    /// A key's value.
    case value(key: String)
    /// The type number of the elements of a key's array.
    case elementType(key: String)
    /// The number of elements of a key's array.
    case elementCount(key: String)
    /// The number of bytes of a key's array.
    case arraySize(key: String)
    /// One element of a key's array.
    case arrayElement(key: String, index: Int)
    /// The name of the tensor with an index.
    case tensorName(index: Int)
    /// A tensor's number of dimensions.
    case dimensionCount(tensor: String)
    /// A tensor's dimensions.
    case dimensions(tensor: String)
    /// A tensor's type number.
    case tensorType(tensor: String)
    /// A tensor's offset in the data section.
    case tensorOffset(tensor: String)
}

extension GGUFField: CustomStringConvertible {
    /// A description of the location, such as `the key of metadata entry 12`; entries count from 1.
    public var description: String {
        switch self {
        case .magic: "the magic number"
        case .version: "the format version"
        case .tensorCount: "the tensor count"
        case .metadataCount: "the metadata count"
        case .key(let index): "the key of metadata entry \(grouped(index + 1))"
        case .valueType(let key): "the value type of key \(quoted(key))"
        case .value(let key): "the value of key \(quoted(key))"
        case .elementType(let key): "the element type of key \(quoted(key))"
        case .elementCount(let key): "the element count of key \(quoted(key))"
        case .arraySize(let key): "the size in bytes of key \(quoted(key))"
        case .arrayElement(let key, let index): "element \(grouped(index)) of key \(quoted(key))"
        case .tensorName(let index): "the name of tensor \(grouped(index + 1))"
        case .dimensionCount(let tensor): "the dimension count of tensor \(quoted(tensor))"
        case .dimensions(let tensor): "the dimensions of tensor \(quoted(tensor))"
        case .tensorType(let tensor): "the type of tensor \(quoted(tensor))"
        case .tensorOffset(let tensor): "the offset of tensor \(quoted(tensor))"
        }
    }
}
