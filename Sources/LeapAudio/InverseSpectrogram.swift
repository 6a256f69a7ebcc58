import Foundation

/// Makes sound of spectra that overlap: each is transformed back, weighed by a window and added to its neighbours.
///
/// Source: Griffin and Lim 1984, "Signal Estimation from Modified Short-Time Fourier Transform", equation 6.
public struct InverseSpectrogram: Sendable {
    /// Samples from one spectrum to the next.
    public static let hop = 320
    /// Frequencies of a spectrum.
    public static let bins = length / 2 + 1

    private static let length = 1280
    /// Samples at both ends that too few spectra reach.
    private static let margin = (length - hop) / 2
    private static let transform = FourierTransform(count: length)
    private static let window = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) }

    /// What later spectra will still be added to, and the squares of all windows there.
    private var sums = [Double](repeating: 0, count: length)
    private var weights = [Double](repeating: 0, count: length)
    /// Samples that are left out at the beginning.
    private var skipped = 0

    /// Begins.
    public init() {}

    /// Adds a spectrum.
    ///
    /// - Parameter row: The logarithms of ``bins`` magnitudes, then as many phases.
    /// - Returns: The samples that are final now: ``hop``, or fewer at the beginning.
    public mutating func add(_ row: [Float]) -> [Float] {
        let signal = Self.signal(of: row)
        for index in 0..<Self.length {
            let window = Self.window[index]
            sums[index] += signal[index] * window
            weights[index] += window * window
        }
        let samples = take(Self.hop)
        sums = Array(sums[Self.hop...]) + [Double](repeating: 0, count: Self.hop)
        weights = Array(weights[Self.hop...]) + [Double](repeating: 0, count: Self.hop)
        return samples
    }

    /// The last samples, of which as many are left out as at the beginning.
    public mutating func finish() -> [Float] {
        guard skipped > 0 else { return [] }
        let samples = take(Self.length - Self.hop - Self.margin)
        self = InverseSpectrogram()
        return samples
    }

    /// The first samples, but those at the very beginning.
    private mutating func take(_ count: Int) -> [Float] {
        let first = min(count, Self.margin - min(skipped, Self.margin))
        skipped += first
        return (first..<count).map { Float(sums[$0] / weights[$0]) }
    }

    /// The inverse transform of a real signal's spectrum. Phases at both ends of the spectrum mean nothing.
    private static func signal(of row: [Float]) -> [Double] {
        var result = [Double](repeating: 0, count: length)
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * length) { memory in
            memory.initialize(repeating: 0)
            let real = UnsafeMutableBufferPointer(rebasing: memory[..<length])
            let imaginary = UnsafeMutableBufferPointer(rebasing: memory[length...])
            for bin in 0..<bins {
                let (magnitude, phase) = (exp(Double(row[bin])), Double(row[bins + bin]))
                let (x, y) = (magnitude * cos(phase), bin == 0 || bin == bins - 1 ? 0 : magnitude * sin(phase))
                // The conjugate, of which the transform is the inverse's conjugate.
                (real[bin], imaginary[bin]) = (x, -y)
                if bin > 0, bin < bins - 1 { (real[length - bin], imaginary[length - bin]) = (x, y) }
            }
            transform(real, imaginary)
            for index in 0..<length { result[index] = real[index] / Double(length) }
        }
        return result
    }
}
