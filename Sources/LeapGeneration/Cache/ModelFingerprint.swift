import Crypto
import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps

/// Names a model by what it computes: its file's metadata, and for every tensor its name, its shape, its type and samples
/// of its bytes; and by how it is computed: two kernel levels differ in their last bits, and types of keys and values in
/// what they keep.
///
/// Not by all bytes: hashing 700 MB takes longer than loading the model. Two files that differ only between the samples
/// are taken for one, which training or quantising anew does not bring about.
enum ModelFingerprint {
    /// Bytes hashed at the beginning, in the middle and at the end of every tensor.
    private static let sampleCount = 256

    /// 32 bytes.
    static func of(_ model: LanguageModel, _ compute: Compute) -> [UInt8] {
        var hash = SHA256()
        func add(_ text: String) { hash.update(data: Array((text + "\n").utf8)) }
        add("\(compute.kernels.level) \(model.keyValueTypes.keys) \(model.keyValueTypes.values)")
        for key in model.file.metadata.keys {
            add(key)
            if let value = model.file.metadata.encodedValue(key) { hash.update(bufferPointer: value) }
        }
        for tensor in model.file.tensors {
            add("\(tensor.name) \(tensor.dimensions) \(tensor.type)")
            for start in sampleStarts(tensor.bytes.count) {
                hash.update(
                    bufferPointer: UnsafeRawBufferPointer(rebasing: tensor.bytes[start...].prefix(sampleCount)))
            }
        }
        return Array(hash.finalize())
    }

    private static func sampleStarts(_ count: Int) -> [Int] {
        [0, count / 2, max(0, count - sampleCount)]
    }
}
