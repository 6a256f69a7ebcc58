internal import LeapBlocks

/// Writes the dot products of all rows with all columns, each the sum of `product(weight, activation)` over its blocks;
/// the parameters from the third on are those of `DotKernel`, in order.
///
/// A product is returned as four partial sums, which are added up once per dot product instead of once per block.
@inline(__always)
func dotBlocks<W: Block, A: Block>(
    _: W.Type, _: A.Type,
    _ weights: UnsafeRawPointer, _ weightStride: Int, _ rows: Int,
    _ activations: UnsafeRawPointer, _ activationStride: Int, _ columns: Int,
    _ blocks: Int,
    _ output: UnsafeMutablePointer<Float>, _ outputStride: Int,
    _ product: (_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes
) {
    forEachDot(weights, weightStride, rows, activations, activationStride, columns, output, outputStride) {
        row, column in
        var sum = Lanes(repeating: 0)
        for i in 0..<blocks {
            sum = sum + product(row + i * W.byteCount, column + i * A.byteCount)
        }
        return horizontalSum(sum)
    }
}
