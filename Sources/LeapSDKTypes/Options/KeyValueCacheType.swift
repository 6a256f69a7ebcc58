/// The number format in which the keys or values of a context are stored, in memory and in the prefix cache. An
/// extension of leap-swift.
///
/// A smaller format fits more context into the same memory and is read faster in long contexts.
public enum KeyValueCacheType: String, Sendable, Hashable, CaseIterable, Codable {
    /// Half precision, 2 bytes: the default, except for files whose weights are all 32-bit floats.
    case f16
    /// Single precision, as computed, 4 bytes.
    case f32
    /// bfloat16, the upper half of a 32-bit float, 2 bytes.
    case bf16
    /// Signed bytes with a scale for every 32 of them: 34 bytes per 32 values. Requires the size of an attention head
    /// to be a multiple of 32, as in almost all models.
    case q8_0
}
