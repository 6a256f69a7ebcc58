import LeapBlocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A change of every element of a tensor, in the tensor's stored precision, as PyTorch computes it.
enum NumberChange: Sendable, Hashable {
    case none
    /// Adds a constant that the model otherwise adds at run time.
    case plus(Float)
    /// −exp(x): a decay that the model stores as a logarithm.
    case negativeExponential

    func apply(to values: UnsafeMutablePointer<Float>, count: Int, storedAs stored: ElementType) {
        guard self != .none else { return }
        for i in 0..<count {
            let changed = value(of: values[i])
            values[i] = stored == .F16 ? Float(halfBits: changed.halfBits) : changed
        }
    }

    private func value(of number: Float) -> Float {
        switch self {
        case .none: number
        case .plus(let addend): number + addend
        case .negativeExponential: -Float(exp(Double(number)))
        }
    }
}
