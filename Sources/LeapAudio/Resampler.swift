import Foundation

/// Changes the sample rate by windowed-sinc interpolation as torchaudio defines it: six zero crossings of a low-pass
/// filter at 0.99 of half the lower rate, under a Hann window.
///
/// Models were trained with audio that was resampled this way.
///
/// Source: Smith, "Digital Audio Resampling Home Page" (2002), "Theory of Ideal Bandlimited Interpolation"; torchaudio's
/// documentation of `functional.resample` for the constants.
public struct Resampler: Sendable {
    private let step: Int
    private let phases: [Phase]

    /// The weights of an output sample at a position between two input samples.
    private struct Phase {
        /// The first input sample, relative to the start of the output's period.
        let first: Int
        let weights: [Double]
    }

    private static let zeroCrossings = 6.0
    private static let rolloff = 0.99

    /// Computes the weights.
    ///
    /// - Parameters:
    ///   - rate: The sample rate of the input; positive.
    ///   - target: The sample rate of the result; positive.
    public init(from rate: Int, to target: Int) {
        let divisor = Self.greatestCommonDivisor(rate, target)
        let (old, new) = (rate / divisor, target / divisor)
        step = old
        guard old != new else {
            phases = []
            return
        }
        let base = Self.rolloff * Double(min(old, new))
        let width = Int((Self.zeroCrossings * Double(old) / base).rounded(.up))
        phases = (0..<new).map { phase in
            let middle = Double(phase) * Double(old) / Double(new)
            // The window is 0 outside.
            let first = max(-width, Int((middle - Self.zeroCrossings * Double(old) / base).rounded(.down)))
            let last = min(width + old - 1, Int((middle + Self.zeroCrossings * Double(old) / base).rounded(.up)))
            return Phase(
                first: first,
                weights: (first...last).map { tap in
                    let time = (Double(tap) / Double(old) - Double(phase) / Double(new)) * base
                    return Self.weight(time) * base / Double(old)
                })
        }
    }

    /// The number of samples that `count` input samples become.
    public func count(of count: Int) -> Int {
        guard !phases.isEmpty else { return count }
        let (product, overflow) = count.multipliedReportingOverflow(by: phases.count)
        return overflow ? Int.max : product / step + (product % step == 0 ? 0 : 1)
    }

    /// The samples at the other rate.
    public func callAsFunction(_ samples: [Float]) -> [Float] {
        guard !phases.isEmpty else { return samples }
        return (0..<count(of: samples.count)).map { index in
            let (period, phase) = (index / phases.count * step, phases[index % phases.count])
            let first = period + phase.first
            var sum = 0.0
            for tap in max(0, -first)..<max(0, -first, min(phase.weights.count, samples.count - first)) {
                sum += phase.weights[tap] * Double(samples[first + tap])
            }
            return Float(sum)
        }
    }

    /// A sinc under a Hann window.
    private static func weight(_ time: Double) -> Double {
        guard abs(time) < zeroCrossings else { return 0 }
        let window = cos(time * .pi / zeroCrossings / 2)
        let angle = time * .pi
        return window * window * (angle == 0 ? 1 : sin(angle) / angle)
    }

    private static func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
        other == 0 ? max(1, one) : greatestCommonDivisor(other, one % other)
    }
}
