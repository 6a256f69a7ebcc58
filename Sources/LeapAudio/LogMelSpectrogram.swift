import Foundation

/// The input of a conformer: the log power in mel bands, a hundred times per second, each band normalised over the
/// whole recording.
///
/// Source: Gulati et al. 2020, "Conformer", section 3; constants as NVIDIA NeMo's FastConformer has them, with which
/// LFM2-Audio was trained.
public struct LogMelSpectrogram: Sendable {
    /// Bands.
    public let bands: Int
    private let transform: FourierTransform
    private let filters: MelFilterBank
    private let window: [Double]

    /// Samples per second.
    public static let sampleRate = 16_000
    /// Samples from one frame to the next.
    public static let hop = 160

    private static let windowLength = 400
    private static let transformLength = 512
    private static let emphasis = 0.97
    private static let floor = 0x1p-24
    private static let epsilon = 1e-5

    /// Computes the tables.
    public init(bands: Int) {
        self.bands = bands
        transform = FourierTransform(count: Self.transformLength)
        filters = MelFilterBank(count: bands, bins: transform.count / 2 + 1, rate: Self.sampleRate)
        let length = Self.windowLength
        window = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length - 1)) }
    }

    /// The number of frames of `count` samples.
    public static func frames(ofSamples count: Int) -> Int { count / hop + 1 }

    /// The frames of a recording.
    ///
    /// - Parameter samples: At ``sampleRate``; at least two hops of them.
    /// - Returns: `[frames, bands]`. The last frame, half of which is past the end, is zero.
    public func callAsFunction(_ samples: [Float]) -> [Float] {
        let count = Self.frames(ofSamples: samples.count)
        var levels = [Double](repeating: 0, count: count * bands)
        let emphasised = emphasise(samples)
        // Two real frames are transformed as one complex signal; symmetry separates their spectra.
        for first in stride(from: 0, to: count, by: 2) { write(first, count, emphasised, to: &levels) }
        return normalized(levels, valid: samples.count / Self.hop, count: count)
    }

    /// `y[n] = x[n] − 0.97 · x[n − 1]`, padded with half a transform of silence on both sides.
    private func emphasise(_ samples: [Float]) -> [Double] {
        let margin = transform.count / 2
        var result = [Double](repeating: 0, count: samples.count + 2 * margin + Self.hop)
        var last = 0.0
        for (index, sample) in samples.enumerated() {
            result[margin + index] = Double(sample) - Self.emphasis * last
            last = Double(sample)
        }
        return result
    }

    /// Writes the log powers of two frames, or of the last one.
    private func write(_ first: Int, _ count: Int, _ signal: [Double], to levels: inout [Double]) {
        let length = transform.count
        let offset = (length - window.count) / 2
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 5 * length) { memory in
            memory.initialize(repeating: 0)
            let real = UnsafeMutableBufferPointer(rebasing: memory[..<length])
            let imaginary = UnsafeMutableBufferPointer(rebasing: memory[length..<2 * length])
            let power = UnsafeMutableBufferPointer(rebasing: memory[2 * length..<3 * length])
            let start = first * Self.hop + offset
            for index in window.indices {
                real[offset + index] = window[index] * signal[start + index]
                imaginary[offset + index] = window[index] * signal[start + Self.hop + index]
            }
            transform(real, imaginary, memory: UnsafeMutableBufferPointer(rebasing: memory[(3 * length)...]))
            for frame in first..<min(first + 2, count) {
                let sign: Double = frame == first ? 1 : -1
                for bin in 0...length / 2 {
                    let mirror = (length - bin) % length
                    let x = (real[bin] + sign * real[mirror]) / 2
                    let y = (imaginary[bin] - sign * imaginary[mirror]) / 2
                    power[bin] = x * x + y * y
                }
                for band in 0..<bands {
                    levels[frame * bands + band] = log(filters.power(band, of: power) + Self.floor)
                }
            }
        }
    }

    /// Normalises every band to mean 0 and standard deviation 1 over the frames that lie within the recording.
    private func normalized(_ levels: [Double], valid: Int, count: Int) -> [Float] {
        var result = [Float](repeating: 0, count: levels.count)
        for band in 0..<bands {
            var (sum, squares) = (0.0, 0.0)
            for frame in 0..<valid { sum += levels[frame * bands + band] }
            let mean = sum / Double(max(1, valid))
            for frame in 0..<valid {
                let difference = levels[frame * bands + band] - mean
                squares += difference * difference
            }
            let deviation = (squares / Double(max(1, valid - 1))).squareRoot() + Self.epsilon
            for frame in 0..<valid {
                result[frame * bands + band] = Float((levels[frame * bands + band] - mean) / deviation)
            }
        }
        return result
    }
}
