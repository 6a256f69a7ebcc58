/// What gates and what goes up are called in a GGUF file, of a stored tensor that has both.
struct GatesAndUps: Hashable {
    let gates: String
    let ups: String

    /// - Parameters:
    ///   - gates: The name within a layer, without `.weight`.
    ///   - ups: The same of what goes up.
    init(_ gates: String, _ ups: String, layer: Int) {
        self.gates = "blk.\(layer).\(gates).weight"
        self.ups = "blk.\(layer).\(ups).weight"
    }
}
