// Properties in the types that versions 0.10 of the API gave them; see `GenerationOptionsSpellings` for how that works.

/// The properties of ``GenerationStats`` in the number types of version 0.10.
public protocol GenerationStatsSpellings {}

extension GenerationStats: GenerationStatsSpellings {}

extension GenerationStatsSpellings where Self == GenerationStats {
    /// ``GenerationStats/promptTokens`` in the type of version 0.10.
    @_disfavoredOverload
    public var promptTokens: Int64 { Int64(clamping: self.promptTokens as UInt64) }

    /// ``GenerationStats/completionTokens`` in the type of version 0.10.
    @_disfavoredOverload
    public var completionTokens: Int64 { Int64(clamping: self.completionTokens as UInt64) }

    /// ``GenerationStats/totalTokens`` in the type of version 0.10.
    @_disfavoredOverload
    public var totalTokens: Int64 { Int64(clamping: self.totalTokens as UInt64) }

    /// ``GenerationStats/cachedPromptTokens`` in the type of version 0.10.
    @_disfavoredOverload
    public var cachedPromptTokens: Int64 { Int64(clamping: self.cachedPromptTokens as UInt64) }
}

/// The properties of ``AudioSamplePayload`` in the number types of version 0.10.
public protocol AudioSamplePayloadSpellings {}

extension AudioSamplePayload: AudioSamplePayloadSpellings {}

extension AudioSamplePayloadSpellings where Self == AudioSamplePayload {
    /// ``AudioSamplePayload/sampleRate`` in the type of version 0.10.
    @_disfavoredOverload
    public var sampleRate: Int32 { Int32(clamping: self.sampleRate as Int) }
}
