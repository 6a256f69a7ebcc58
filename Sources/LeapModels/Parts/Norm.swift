import LeapOps

/// A root-mean-square norm: `y = x / √(mean(x²) + ε) · gains`.
///
/// Source: Zhang and Sennrich 2019, "Root Mean Square Layer Normalization".
struct Norm: Sendable {
    /// As many as a row has elements, or a part of it, such as a head.
    let gains: FloatVector
    let epsilon: Float

    /// Normalises every row of `x`; `output` may be `x`.
    func callAsFunction(_ x: Rows, into output: Rows, _ compute: Compute) {
        compute.rmsNorm(x, gains.base, epsilon: epsilon, into: output)
    }

    /// Normalises every part of every row by itself, in place: as many elements as there are gains.
    func parts(of x: Rows, _ compute: Compute) {
        compute.rmsNormHeads(x, headDimension: gains.count, gains.base, epsilon: epsilon)
    }

    /// Normalises each of `count` equal parts of every row by itself, in place; there are as many gains as a row has elements.
    func groups(of x: Rows, count: Int, _ compute: Compute) {
        compute.rmsNormGroups(x, count: count, gains.base, epsilon: epsilon)
    }
}
