/// The GGUF names of the gate and up projections of a stored tensor that contains both.
struct GatesAndUps: Hashable {
    let gates: String
    let ups: String

    /// - Parameters:
    ///   - gates: The name within a layer, without `.weight`.
    ///   - ups: The same for the up projection.
    init(_ gates: String, _ ups: String, layer: Int) {
        self.gates = "blk.\(layer).\(gates).weight"
        self.ups = "blk.\(layer).\(ups).weight"
    }
}
