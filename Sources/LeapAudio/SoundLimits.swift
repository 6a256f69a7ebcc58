/// The limits on sound that models accept.
public struct SoundLimits: Sendable, Hashable {
    /// Sample rates that are resampled.
    public var sampleRates = 8_000...192_000
    /// The shortest duration in seconds.
    public var shortest = 0.1
    /// The longest duration in seconds.
    public var longest = 300.0
    /// The largest magnitude of a sample, as in files with the values of 32-bit integers in floats. Resampling overshoots,
    /// so much larger ones would become infinite.
    public var largest: Float = 0x1p31

    /// The usual limits.
    public init() {}
}

extension Recording {
    /// Checks that models accept it.
    ///
    /// - Throws: ``AudioError``.
    public func check(_ limits: SoundLimits = SoundLimits()) throws(AudioError) {
        guard channelCount == 1 else { throw .severalChannels(channelCount) }
        guard limits.sampleRates.contains(sampleRate) else {
            throw .sampleRate(sampleRate, allowed: limits.sampleRates)
        }
        guard seconds >= limits.shortest else { throw .tooShort(seconds: seconds, shortest: limits.shortest) }
        guard seconds <= limits.longest else { throw .tooLong(seconds: seconds, longest: limits.longest) }
        // A comparison with NaN is false.
        if let index = samples.firstIndex(where: { !($0.magnitude <= limits.largest) }) {
            throw .sampleValue(samples[index], sample: index, largest: limits.largest)
        }
    }
}
