import Foundation

/// The discrete Fourier transform of a power of two of complex numbers, in double precision.
///
/// Source: Cooley and Tukey 1965, "An Algorithm for the Machine Calculation of Complex Fourier Series".
struct FourierTransform: Sendable {
    let count: Int
    /// Where a number goes before the first step: its place with the bits in the other order.
    private let places: [Int]
    /// e^(−2πik / count) for the first half.
    private let cosines: [Double]
    private let sines: [Double]

    /// - Parameter bits: The logarithm of the length.
    init(bits: Int) {
        let count = 1 << bits
        self.count = count
        places = (0..<count).map { index in
            (0..<bits).reduce(0) { $0 << 1 | index >> $1 & 1 }
        }
        cosines = (0..<count / 2).map { cos(-2 * .pi * Double($0) / Double(count)) }
        sines = (0..<count / 2).map { sin(-2 * .pi * Double($0) / Double(count)) }
    }

    /// Transforms in place.
    ///
    /// - Parameters:
    ///   - real: ``count`` real parts.
    ///   - imaginary: ``count`` imaginary parts.
    func callAsFunction(_ real: UnsafeMutableBufferPointer<Double>, _ imaginary: UnsafeMutableBufferPointer<Double>) {
        for index in 0..<count where places[index] > index {
            real.swapAt(index, places[index])
            imaginary.swapAt(index, places[index])
        }
        var half = 1
        while half < count {
            let stride = count / (2 * half)
            for start in Swift.stride(from: 0, to: count, by: 2 * half) {
                for offset in 0..<half {
                    let (low, high) = (start + offset, start + offset + half)
                    let (cosine, sine) = (cosines[offset * stride], sines[offset * stride])
                    let x = real[high] * cosine - imaginary[high] * sine
                    let y = real[high] * sine + imaginary[high] * cosine
                    (real[high], imaginary[high]) = (real[low] - x, imaginary[low] - y)
                    (real[low], imaginary[low]) = (real[low] + x, imaginary[low] + y)
                }
            }
            half *= 2
        }
    }
}
