import Foundation

/// Reference results for models of `Fixtures/` with adapters of `Fixtures/adapters/`, from an independent
/// implementation that merged the adapters into the weights.
public struct AdapterFixtures: Sendable {
    /// A model with adapters, and a prompt.
    public struct Case: Decodable, Sendable, CustomStringConvertible {
        /// The model's name.
        public let model: String
        /// Its adapters.
        public let adapters: [Weight]
        /// The prompt's token ids.
        public let tokens: [Int32]
        /// Root-mean-square error of llama.cpp's logits against the exact ones; `nil` if it cannot compute them.
        public let llamaCppError: Double?
        /// Logits of the last position.
        let logits: FixtureReference.Place

        /// For the list of test cases.
        public var description: String { "\(model) with \(adapters), \(tokens.count) tokens" }
    }

    /// An adapter and its scale.
    public struct Weight: Decodable, Sendable, CustomStringConvertible {
        /// The adapter's name.
        public let name: String
        /// The factor by which its changes are multiplied.
        public let scale: Float

        /// For the list of test cases.
        public var description: String { "\(name) × \(scale)" }
    }

    private struct Index: Decodable { let prompts: [Case] }

    private static let folder = Fixture.folder.appendingPathComponent("adapters")

    /// The path of a model's adapter.
    public static func path(_ name: String, of model: String) -> String {
        folder.appendingPathComponent("\(model).\(name).gguf").path
    }

    /// All cases; none where they cannot be read.
    public static let cases: [Case] = {
        let index = try? Data(contentsOf: folder.appendingPathComponent("merged.json"))
        return index.flatMap { try? JSONDecoder().decode(Index.self, from: $0).prompts } ?? []
    }()

    /// The logits of a case.
    public static func logits(_ one: Case) throws -> [Float] {
        let all = try FixtureReference.floats(in: folder.appendingPathComponent("merged.f32.bin"))
        return Array(all[one.logits.offset..<one.logits.offset + one.logits.shape.reduce(1, *)])
    }
}
