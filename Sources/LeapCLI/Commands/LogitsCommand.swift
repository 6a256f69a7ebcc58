import ArgumentParser
import Foundation
import LeapGGUF
import LeapModels
import LeapOps
import LeapToolSupport

/// `leap logits`: the scores after a prompt of token ids, for comparison with other implementations.
struct LogitsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logits",
        abstract: "Writes the last position's logits as raw little-endian 32-bit floats.")

    @Argument(help: "A GGUF file, or a model's name, which is downloaded first.")
    var model: String?

    @Option(help: "The prompt as token ids, separated by commas.")
    var tokens: String

    @Option(help: "The file to write: vocabulary size × 4 bytes.")
    var out: String

    @Option(help: "Tokens per forward pass; 1 feeds the prompt token by token.")
    var chunk = LanguageModel.chunkSize

    @OptionGroup var cacheTypes: CacheTypeFlags
    @OptionGroup var computeFlags: ComputeFlags
    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags

    func validate() throws {
        if chunk < 1 { throw ValidationError("--chunk must be at least 1, not \(chunk).") }
        if try ids().isEmpty { throw ValidationError("--tokens needs at least one id.") }
    }

    func run() async throws {
        let path = try await hub.bring(source.onlyModel(model)).path
        try OutputFile.write(try ModelFile.naming(path) { try logits(of: path) }, to: out)
    }

    private func logits(of path: String) throws -> Data {
        let model = try LanguageModel.load(
            GGUFFile(path: path), keyType: cacheTypes.keys, valueType: cacheTypes.values)
        let compute = try computeFlags.makeCompute()
        let ids = try ids()
        guard ids.count <= model.configuration.contextLength else {
            throw CommandError(
                "'\(path)': \(ids.count) tokens do not fit into the model's context of "
                    + "\(model.configuration.contextLength)")
        }
        let state = try model.makeState(capacity: ids.count)
        var result = Data()
        for start in stride(from: 0, to: ids.count, by: chunk) {
            let end = min(start + chunk, ids.count)
            var batch = Batch(of: .prompt)
            batch.append(tokens: ids[start..<end], to: state, wantsLogits: end == ids.count)
            try model.forward(batch, compute) { logits in
                if end == ids.count { result = Data(littleEndian: logits[0]) }
            }
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
