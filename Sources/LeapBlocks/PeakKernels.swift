/// Loops of pure arithmetic in registers, which measure the highest rate of one level's instructions. Tools compare
/// matrix products with it.
public struct PeakKernels: Sendable {
    /// Multiply-adds of 32-bit floats.
    public let floats: PeakKernel
    /// Multiply-adds of 8-bit integers into 32 bits; `nil` at a level without instructions for them.
    public let bytes: PeakKernel?

    /// Groups a level's loops.
    public init(floats: PeakKernel, bytes: PeakKernel?) {
        self.floats = floats
        self.bytes = bytes
    }
}

/// One loop of ``PeakKernels``.
public struct PeakKernel: Sendable {
    /// `run(operand, rounds)`: multiplies the 64 bytes at `operand`, which are not known at compile time, so that no
    /// round can be optimised away; returns a number that depends on all of them.
    public typealias Loop = @convention(c) (_ operand: UnsafeRawPointer, _ rounds: Int) -> Float

    /// Multiply-adds per round.
    public let multiplyAddsPerRound: Int
    /// See ``Loop``.
    public let run: Loop

    /// A loop.
    public init(multiplyAddsPerRound: Int, run: @escaping Loop) {
        self.multiplyAddsPerRound = multiplyAddsPerRound
        self.run = run
    }
}
