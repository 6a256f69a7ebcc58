public import Foundation

/// Why a recording cannot be used.
public enum AudioError: Error, Hashable, Sendable {
    /// The bytes are not a WAV file, or one of an unsupported format.
    case notWAV(reason: String)
    /// There is more than one channel.
    case severalChannels(Int)
    /// The sample rate is outside the supported range.
    case sampleRate(Int, allowed: ClosedRange<Int>)
    /// A sample is not a number, or too far from those of sound.
    case sampleValue(Float, sample: Int, largest: Float)
    /// The recording is too short to contain anything audible.
    case tooShort(seconds: Double, shortest: Double)
    /// The recording is longer than models accept.
    case tooLong(seconds: Double, longest: Double)
}

extension AudioError: CustomStringConvertible, LocalizedError {
    /// The whole message: what failed, what was expected, what was found, what to do.
    public var description: String {
        switch self {
        case .notWAV(let reason): "the recording cannot be used: \(reason)"
        case .severalChannels(let count):
            "the recording cannot be used: it has \(count) channels, but must be mono. Mix it down to one channel"
        case .sampleRate(let rate, let allowed):
            "the recording cannot be used: its sample rate is \(rate) Hz, but must be \(allowed.lowerBound) to "
                + "\(allowed.upperBound) Hz. Resample it"
        case .sampleValue(let value, let sample, let largest):
            "the recording cannot be used: sample \(sample) is \(value), but must be a number between "
                + "-\(Double(largest)) and \(Double(largest)). Create the file again"
        case .tooShort(let seconds, let shortest):
            "the recording cannot be used: it lasts \(Self.text(seconds)) seconds, but must last at least "
                + "\(Self.text(shortest))"
        case .tooLong(let seconds, let longest):
            "the recording cannot be used: it lasts \(Self.text(seconds)) seconds, but must last at most "
                + "\(Self.text(longest)). Split it into shorter pieces"
        }
    }

    /// The same text as `description`.
    public var errorDescription: String? { description }

    private static func text(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
}
