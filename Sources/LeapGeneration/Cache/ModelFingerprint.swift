import LeapBlocks
import LeapDigest
import LeapModels
import LeapOps

/// Names a model by what it computes: all bytes of its file; and by how it is computed: two kernel levels differ in their
/// last bits, and types of keys and values in what they keep.
enum ModelFingerprint {
    /// 32 bytes.
    ///
    /// - Parameter content: The digest of the model's file, see ``ContentDigest``.
    static func of(_ model: LanguageModel, content: [UInt8], _ compute: Compute) -> [UInt8] {
        var hash = SHA256()
        let way = "\(compute.kernels.level) \(model.keyValueTypes.keys) \(model.keyValueTypes.values)\n"
        hash.update(data: Array(way.utf8))
        hash.update(data: content)
        return Array(hash.finalize())
    }
}
