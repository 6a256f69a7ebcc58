import LeapBlocks
import LeapKernels
import LeapOps

/// Products with as many rows as a chunk of a long prompt, on all threads: the code path of a forward pass, including
/// its choice of algorithm.
func registerPrefill() {
    for kernels in Kernels.available {
        for type in TestData.weightTypes { registerPrefill(type, kernels) }
    }
}

private let tokens = 512
private let rows = 2048
private let width = 2048

private func registerPrefill(_ type: GGMLType, _ kernels: KernelTable) {
    let threads = Compute(kernels: kernels).threads
    let name = ["prefill", type.name, "\(rows)x\(width)x\(tokens)", kernels.level.rawValue, "\(threads)t"]
    measure(name, Work(multiplyAdds: tokens * rows * width, tokens: tokens)) {
        let compute = Compute(kernels: kernels)
        let bytes = try TestData.weights(type, rows: rows, columns: width)
        let input = TestData.floats(count: tokens * width)
        guard
            let weights = QuantizedMatrix(
                type: type, rows: rows, columns: width, bytes: UnsafeRawBufferPointer(bytes.buffer))
        else { throw MissingData("matrix of \(type)") }
        return Iteration {
            withExtendedLifetime(bytes) {
                compute.exclusively {
                    let x = compute.scratch.rows(tokens, width: width)
                    x.base.update(from: input, count: input.count)
                    var activations = Activations(x, .prompt)
                    _ = compute.linear(weights, &activations)
                }
            }
        }
    }
}
