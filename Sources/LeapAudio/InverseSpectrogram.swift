import Foundation

/// Synthesises sound from overlapping spectra: each is inverse-transformed, windowed and overlap-added.
///
/// Source: Griffin and Lim 1984, "Signal Estimation from Modified Short-Time Fourier Transform", equation 6.
public struct InverseSpectrogram: Sendable {
    /// Samples from one spectrum to the next.
    public static let hop = 320
    /// Frequency bins of a spectrum.
    public static let bins = length / 2 + 1

    private static let length = 1280
    /// Samples at both ends that are covered by too few spectra.
    private static let margin = (length - hop) / 2
    private static let transform = FourierTransform(count: length)
    private static let window = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) }

    /// The overlap-add buffer: samples to which later spectra are still added, and the sums of squared windows there.
    private var sums = [Double](repeating: 0, count: length)
    private var weights = [Double](repeating: 0, count: length)
    /// A spectrum's real and imaginary parts, then its signal; and the transform's scratch memory.
    private var memory = [Double](repeating: 0, count: 4 * length)
    /// Samples skipped so far at the beginning.
    private var skipped = 0

    /// Starts a new signal.
    public init() {}

    /// Adds a spectrum. Allocates no memory except for the samples.
    ///
    /// - Parameters:
    ///   - row: The logarithms of ``bins`` magnitudes, then as many phases.
    ///   - samples: Receives the samples that are now final: ``hop``, or fewer at the beginning.
    public mutating func add(_ row: UnsafeBufferPointer<Float>, to samples: inout [Float]) {
        precondition(row.count == 2 * Self.bins, "a spectrum has \(2 * Self.bins) values, not \(row.count)")
        memory.withUnsafeMutableBufferPointer { memory in
            let real = UnsafeMutableBufferPointer(rebasing: memory[..<Self.length])
            Self.invert(
                row, into: real, UnsafeMutableBufferPointer(rebasing: memory[Self.length..<2 * Self.length]),
                memory: UnsafeMutableBufferPointer(rebasing: memory[(2 * Self.length)...]))
            for index in 0..<Self.length {
                let window = Self.window[index]
                sums[index] += real[index] / Double(Self.length) * window
                weights[index] += window * window
            }
        }
        take(Self.hop, to: &samples)
        Self.shift(&sums)
        Self.shift(&weights)
    }

    /// Adds the last samples, except for as many as were skipped at the beginning.
    public mutating func finish(to samples: inout [Float]) {
        guard skipped > 0 else { return }
        take(Self.length - Self.hop - Self.margin, to: &samples)
        self = InverseSpectrogram()
    }

    /// Outputs the first samples, except for those skipped at the very beginning.
    private mutating func take(_ count: Int, to samples: inout [Float]) {
        let first = min(count, Self.margin - min(skipped, Self.margin))
        skipped += first
        for index in first..<count { samples.append(Float(sums[index] / weights[index])) }
    }

    /// Shifts the buffer by one hop.
    private static func shift(_ values: inout [Double]) {
        for index in 0..<length - hop { values[index] = values[index + hop] }
        for index in length - hop..<length { values[index] = 0 }
    }

    /// The inverse transform of a real signal's spectrum, times its length. Phases of the first and last bin are
    /// ignored.
    private static func invert(
        _ row: UnsafeBufferPointer<Float>, into real: UnsafeMutableBufferPointer<Double>,
        _ imaginary: UnsafeMutableBufferPointer<Double>, memory: UnsafeMutableBufferPointer<Double>
    ) {
        for bin in 0..<bins {
            let (magnitude, phase) = (exp(Double(row[bin])), Double(row[bins + bin]))
            let (x, y) = (magnitude * cos(phase), bin == 0 || bin == bins - 1 ? 0 : magnitude * sin(phase))
            // The inverse transform, up to a factor: the conjugate of the transform of the conjugate.
            (real[bin], imaginary[bin]) = (x, -y)
            if bin > 0, bin < bins - 1 { (real[length - bin], imaginary[length - bin]) = (x, y) }
        }
        transform(real, imaginary, memory: memory)
    }
}
