import ArgumentParser
import Foundation
import LeapGGUF
import LeapModels
import LeapOps

/// `leap logits`: the scores after a prompt of token ids, for comparison with other implementations.
struct LogitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logits",
        abstract: "Writes the last position's logits as raw little-endian 32-bit floats.")

    @Argument(help: "A GGUF file.")
    var model: String

    @Option(help: "The prompt as token ids, separated by commas.")
    var tokens: String

    @Option(help: "The file to write: vocabulary size × 4 bytes.")
    var out: String

    @Option(help: "Tokens per forward pass; 1 feeds the prompt token by token.")
    var chunk = LanguageModel.chunkSize

    @OptionGroup var cacheTypes: CacheTypeFlags
    @OptionGroup var computeOptions: ComputeOptions

    func validate() throws {
        if chunk < 1 { throw ValidationError("--chunk must be at least 1, not \(chunk).") }
        if try ids().isEmpty { throw ValidationError("--tokens needs at least one id.") }
    }

    func run() throws {
        try OutputFile.write(try ModelFile.naming(model) { try logits() }, to: out)
    }

    private func logits() throws -> Data {
        let model = try LanguageModel.load(
            GGUFFile(path: model), keyType: cacheTypes.keys, valueType: cacheTypes.values)
        let compute = try computeOptions.makeCompute()
        let ids = try ids()
        guard ids.count <= model.configuration.contextLength else {
            throw CommandError(
                "'\(self.model)': \(ids.count) tokens do not fit into the model's context of "
                    + "\(model.configuration.contextLength)")
        }
        let state = try model.makeState(capacity: ids.count)
        var result = Data()
        for start in stride(from: 0, to: ids.count, by: chunk) {
            let end = min(start + chunk, ids.count)
            var batch = Batch()
            batch.append(tokens: ids[start..<end], to: state, wantsLogits: end == ids.count)
            let logits = try model.forward(batch, compute)
            if end == ids.count { result = Data(littleEndian: logits[0]) }
        }
        return result
    }

    private func ids() throws -> [Int32] { try TokenList.parse(tokens) }
}

extension Data {
    /// The bytes of floats in little-endian order.
    fileprivate init(littleEndian floats: UnsafeMutableBufferPointer<Float>) {
        let words = floats.map(\.bitPattern.littleEndian)
        self = words.withUnsafeBytes { Data($0) }
    }
}
