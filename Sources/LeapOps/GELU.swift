import LeapBlocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The ways in which models compute the Gaussian error linear unit, `x · Φ(x)`. They differ by up to 5·10⁻⁴.
///
/// Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units (GELUs)", section 2.
public enum GELUForm: Sendable {
    /// By a hyperbolic tangent.
    case tanh
    /// By the error function.
    case exact
}

/// The linear unit gated by it: `output[i] = GELU(gate[i]) · up[i]`.
let exactGEGLU: FloatKernels.GLU = { gate, up, output, count in
    for index in 0..<count { output[index] = exactGELU(gate[index]) * up[index] }
}

/// `x / 2 · (1 + erf(x / √2))`
private func exactGELU(_ x: Float) -> Float { x * 0.5 * (1 + erff(x * Float(0.5).squareRoot())) }

/// `x[i] ← x[i] / 2 · (1 + erf(x[i] / √2))`, in place. No kernel, because models use it for few rows.
func exactGELU(_ x: UnsafeMutablePointer<Float>, _ count: Int) {
    for index in 0..<count { x[index] = exactGELU(x[index]) }
}
