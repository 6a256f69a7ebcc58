import LeapBlocks
import LeapDigest
import LeapModels
import LeapOps

/// Identifies the exact results of a model: by the content of its file and of its adapters' files, by the kernel level,
/// since levels differ in the last bits, and by the types of keys and values.
enum ModelFingerprint {
    /// 32 bytes.
    ///
    /// - Parameters:
    ///   - content: The digest of the model's file, see ``ContentDigest``.
    ///   - adapters: Those of the adapters' files, in their order.
    ///   - capacity: The context length of the sequences, on which the rotation of keys depends in some models.
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
