import Foundation

/// The discrete Fourier transform of complex numbers in double precision, for lengths of a power of two times a small
/// odd number.
///
/// Source: Cooley and Tukey 1965, "An Algorithm for the Machine Calculation of Complex Fourier Series".
struct FourierTransform: Sendable {
    let count: Int
    /// The odd factor of the length.
    private let odd: Int
    /// Where each number goes before the first step: grouped by its index modulo ``odd``, in bit-reversed order.
    private let places: [Int]
    /// e^(−2πik / count)
    private let cosines: [Double]
    private let sines: [Double]

    init(count: Int) {
        self.count = count
        let bits = count.trailingZeroBitCount
        odd = count >> bits
        let (odd, length) = (odd, 1 << bits)
        places = (0..<count).map { index in
            let (part, place) = (index % odd, index / odd)
            return part * length + (0..<bits).reduce(0) { $0 << 1 | place >> $1 & 1 }
        }
        cosines = (0..<count).map { cos(-2 * .pi * Double($0) / Double(count)) }
        sines = (0..<count).map { sin(-2 * .pi * Double($0) / Double(count)) }
    }

    /// Transforms in place.
    ///
    /// - Parameters:
    ///   - real: ``count`` real parts.
    ///   - imaginary: ``count`` imaginary parts.
    ///   - memory: Scratch memory for twice as many numbers.
    func callAsFunction(
        _ real: UnsafeMutableBufferPointer<Double>, _ imaginary: UnsafeMutableBufferPointer<Double>,
        memory: UnsafeMutableBufferPointer<Double>
    ) {
        let sorted = (
            real: UnsafeMutableBufferPointer(rebasing: memory[..<count]),
            imaginary: UnsafeMutableBufferPointer(rebasing: memory[count..<2 * count])
        )
        for index in 0..<count {
            sorted.real[places[index]] = real[index]
            sorted.imaginary[places[index]] = imaginary[index]
        }
        for part in 0..<odd { transformPart(part, sorted.real, sorted.imaginary) }
        combine(sorted.real, sorted.imaginary, into: real, imaginary)
    }

    /// Transforms the numbers of one residue class, in steps that double the length.
    private func transformPart(
        _ part: Int, _ real: UnsafeMutableBufferPointer<Double>, _ imaginary: UnsafeMutableBufferPointer<Double>
    ) {
        let length = count / odd
        var half = 1
        while half < length {
            let turn = odd * (length / (2 * half))
            for start in stride(from: part * length, to: (part + 1) * length, by: 2 * half) {
                for offset in 0..<half {
                    let (low, high) = (start + offset, start + offset + half)
                    let (cosine, sine) = (cosines[offset * turn], sines[offset * turn])
                    let x = real[high] * cosine - imaginary[high] * sine
                    let y = real[high] * sine + imaginary[high] * cosine
                    (real[high], imaginary[high]) = (real[low] - x, imaginary[low] - y)
                    (real[low], imaginary[low]) = (real[low] + x, imaginary[low] + y)
                }
            }
            half *= 2
        }
    }

    /// Combines the residue classes' transforms into the whole.
    private func combine(
        _ real: UnsafeMutableBufferPointer<Double>, _ imaginary: UnsafeMutableBufferPointer<Double>,
        into targetReal: UnsafeMutableBufferPointer<Double>, _ targetImaginary: UnsafeMutableBufferPointer<Double>
    ) {
        let length = count / odd
        for index in 0..<count {
            var (x, y) = (real[index % length], imaginary[index % length])
            for part in 1..<max(1, odd) {
                let (place, turn) = (part * length + index % length, part * index % count)
                x += real[place] * cosines[turn] - imaginary[place] * sines[turn]
                y += real[place] * sines[turn] + imaginary[place] * cosines[turn]
            }
            (targetReal[index], targetImaginary[index]) = (x, y)
        }
    }
}
