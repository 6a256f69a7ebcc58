import LeapBlocks
import LeapDigest
import LeapModels
import LeapOps

/// Names a model by what it computes: all bytes of its file, and of its adapters'; and by how it is computed: two kernel
/// levels differ in their last bits, and types of keys and values in what they keep.
enum ModelFingerprint {
    /// 32 bytes.
    ///
    /// - Parameters:
    ///   - content: The digest of the model's file, see ``ContentDigest``.
    ///   - adapters: Those of the adapters' files, in their order.
    ///   - capacity: That of the sequences, by which some models rotate keys.
    static func of(_ model: LanguageModel, content: [UInt8], adapters: [[UInt8]], capacity: Int, _ compute: Compute)
        -> [UInt8]
    {
        var hash = SHA256()
        let angles = model.hasLongAngles(capacity: capacity) ? " long" : ""
        let way = "\(compute.arithmetic) \(model.keyValueTypes.keys) \(model.keyValueTypes.values)\(angles)\n"
        hash.update(data: Array(way.utf8))
        hash.update(data: content)
        for adapter in adapters { hash.update(data: adapter) }
        return Array(hash.finalize())
    }
}
