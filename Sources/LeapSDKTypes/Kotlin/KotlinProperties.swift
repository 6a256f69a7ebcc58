// Properties in the types that versions 0.10 of the API gave them; see `GenerationOptionsSpellings` for how that works.

/// The numbers of ``GenerationStats`` as Kotlin's.
public protocol GenerationStatsSpellings {}

extension GenerationStats: GenerationStatsSpellings {}

extension GenerationStatsSpellings where Self == GenerationStats {
    /// ``GenerationStats/promptTokens`` in the type that version 0.10 had.
    @_disfavoredOverload
    public var promptTokens: Int64 { Int64(clamping: self.promptTokens as UInt64) }

    /// ``GenerationStats/completionTokens`` in the type that version 0.10 had.
    @_disfavoredOverload
    public var completionTokens: Int64 { Int64(clamping: self.completionTokens as UInt64) }

    /// ``GenerationStats/totalTokens`` in the type that version 0.10 had.
    @_disfavoredOverload
    public var totalTokens: Int64 { Int64(clamping: self.totalTokens as UInt64) }

    /// ``GenerationStats/cachedPromptTokens`` in the type that version 0.10 had.
    @_disfavoredOverload
    public var cachedPromptTokens: Int64 { Int64(clamping: self.cachedPromptTokens as UInt64) }
}

/// The numbers of ``AudioSamplePayload`` as Kotlin's.
public protocol AudioSamplePayloadSpellings {}

extension AudioSamplePayload: AudioSamplePayloadSpellings {}

extension AudioSamplePayloadSpellings where Self == AudioSamplePayload {
    /// ``AudioSamplePayload/sampleRate`` in the type that version 0.10 had.
    @_disfavoredOverload
    public var sampleRate: Int32 { Int32(clamping: self.sampleRate as Int) }
}
