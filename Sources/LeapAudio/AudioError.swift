public import Foundation

/// Why a recording cannot be used.
public enum AudioError: Error, Hashable, Sendable {
    /// The bytes are not a WAV file, or one of an unsupported format.
    case notWAV(reason: String)
    /// There is more than one channel.
    case severalChannels(Int)
    /// The sample rate is outside the supported range.
    case sampleRate(Int, allowed: ClosedRange<Int>)
    /// A sample is infinite or NaN.
    case notFinite(sample: Int)
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
            "the recording cannot be used: it has \(count) channels, but models take one: mix them to mono"
        case .sampleRate(let rate, let allowed):
            "the recording cannot be used: it has \(rate) samples a second, but \(allowed.lowerBound) to "
                + "\(allowed.upperBound) are taken: resample it"
        case .notFinite(let sample):
            "the recording cannot be used: sample \(sample) is not a finite number: make the file again"
        case .tooShort(let seconds, let shortest):
            "the recording cannot be used: it lasts \(Self.text(seconds)) seconds, but must last \(Self.text(shortest)) "
                + "at least"
        case .tooLong(let seconds, let longest):
            "the recording cannot be used: it lasts \(Self.text(seconds)) seconds, but models listen to "
                + "\(Self.text(longest)) at most: cut it into pieces"
        }
    }

    /// The same text as `description`.
    public var errorDescription: String? { description }

    private static func text(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
}
