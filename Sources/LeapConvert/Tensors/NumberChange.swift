import LeapBlocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What becomes of every number of a tensor, in the precision that the tensor is stored in, as PyTorch computes it.
enum NumberChange: Sendable, Hashable {
    case none
    /// Something is added that the model adds when it runs.
    case plus(Float)
    /// −exp(x): a decay of which the model stores the logarithm.
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
