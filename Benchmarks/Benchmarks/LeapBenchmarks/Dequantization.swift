import LeapBlocks
import LeapKernels

/// Blocks to floats, as for embedding rows and for the panels of a long prompt's products. One thread; the output fits
/// into the second-level cache, as a panel does.
func registerDequantization() {
    for kernels in Kernels.available {
        for type in TestData.weightTypes { registerDequantization(type, kernels) }
    }
}

private let elements = 64 * 2048

private func registerDequantization(_ type: GGMLType, _ kernels: KernelTable) {
    guard let dequantize = kernels[type]?.dequantize, let bytes = type.byteCount(elements: elements) else { return }
    measure(["dequantize", type.name, "\(elements)", kernels.level.rawValue, "1t"], Work(bytes: bytes)) {
        let blocks = try TestData.weights(type, rows: 1, columns: elements)
        var output = [Float](repeating: 0, count: elements)
        return Iteration { dequantize(blocks.base, &output, elements / type.elementsPerBlock) }
    }
}
