/// How the keys, or the values, of a context are kept in memory and in the cache of prompts. An extension of ours.
///
/// Fewer bytes hold more context in the same memory, and are read faster where the context is long.
public enum KeyValueCacheType: String, Sendable, Hashable, CaseIterable, Codable {
    /// Half precision, 2 bytes: the default, but for files whose weights are all 32-bit floats.
    case f16
    /// As they are computed, 4 bytes.
    case f32
    /// The upper half of a 32-bit float, 2 bytes.
    case bf16
    /// Signed bytes with a scale for every 32 of them, 34 bytes for 32. Needs heads of a multiple of 32 elements, which
    /// almost all models have.
    case q8_0
}
