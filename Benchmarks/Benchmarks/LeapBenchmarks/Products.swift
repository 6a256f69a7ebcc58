import LeapBlocks
import LeapKernels

/// Dot products of a weight matrix with one row of activations, as in decoding (`gemv`), and with eight, as for a short
/// prompt or several conversations at once (`gemm8`). One thread; the matrix (nearly) fits into the second-level cache.
func registerProducts() {
    for kernels in Kernels.available {
        for type in TestData.weightTypes {
            for columns in [1, 8] { registerProduct(type, kernels, columns: columns) }
        }
    }
}

private let rows = 2048
private let width = 2048

private func registerProduct(_ type: GGMLType, _ kernels: KernelTable, columns: Int) {
    guard let dot = kernels[type]?.dot, let rowBytes = type.byteCount(elements: width) else { return }
    let topic = columns == 1 ? "gemv" : "gemm\(columns)"
    let work = Work(bytes: rows * rowBytes, multiplyAdds: rows * width * columns)
    measure([topic, type.name, "\(rows)x\(width)", kernels.level.rawValue, "1t"], work) {
        let weights = try TestData.weights(type, rows: rows, columns: width)
        let x = try TestData.activations(for: type, kernels, rows: columns, width: width)
        let stride = x.buffer.count / columns
        var output = [Float](repeating: 0, count: rows * columns)
        return Iteration {
            dot(
                weights.base, rowBytes, rows, x.base, stride, columns, width / type.elementsPerBlock, &output, rows)
        }
    }
}
