import LeapGGUF
import LeapOps
import Testing
import _LeapTestSupport

@testable import LeapModels

/// Files of embedding models: contradictory ones are refused, and extreme numbers do not crash the process.
@Suite("Loading encoders")
struct EncoderLoadingTests {
    /// A fixture, and a change that makes it invalid.
    struct Change: Sendable, CustomStringConvertible {
        let fixture: String
        let expected: String
        let apply: @Sendable (inout EditedFile) -> Void
        var description: String { "\(fixture): \(expected)" }

        init(_ fixture: String, says expected: String, _ apply: @escaping @Sendable (inout EditedFile) -> Void) {
            self.fixture = fixture
            self.expected = expected
            self.apply = apply
        }
    }

    static let changes: [Change] = [
        Change(
            "nomic-bert-mean",
            says: "nomic-bert.attention.causal is true, but nomic-bert models have bidirectional attention"
        ) {
            $0.values["nomic-bert.attention.causal"] = .bool(true)
        },
        Change("nomic-bert-mean", says: "tensor 'token_embd_norm.bias' is missing") {
            $0.removedTensors.insert("token_embd_norm.bias")
        },
        Change("nomic-bert-mean", says: "tensor 'blk.2.ffn_gate.weight' is missing") {
            $0.removedTensors.insert("blk.2.ffn_gate.weight")
        },
        Change("nomic-bert-mean", says: "nomic-bert.expert_count = 8 is not supported") {
            $0.values["nomic-bert.expert_count"] = .uint32(8)
        },
        Change("nomic-bert-mean", says: "nomic-bert.attention.sliding_window = 20 is not supported") {
            $0.values["nomic-bert.attention.sliding_window"] = .uint32(20)
        },
        Change("modern-bert-cls", says: "modern-bert.attention.causal is true") {
            $0.values["modern-bert.attention.causal"] = .bool(true)
        },
        Change("modern-bert-cls", says: "tensor 'blk.1.attn_norm.weight' is missing") {
            $0.removedTensors.insert("blk.1.attn_norm.weight")
        },
        Change("modern-bert-cls", says: "modern-bert.hidden_activation = relu is not supported") {
            $0.values["modern-bert.hidden_activation"] = .string("relu")
        },
        Change("modern-bert-cls", says: "modern-bert.rope.freq_base_swa") {
            $0.values["modern-bert.rope.freq_base_swa"] = .float32(1)
        },
        Change("modern-bert-silu-tokens", says: "embedding_length_out is 10, but the tensors produce vectors of size 9")
        {
            $0.values["modern-bert.embedding_length_out"] = .uint32(10)
        },
        Change("gemma-embedding-mean", says: "gemma-embedding.attention.causal is true") {
            $0.values["gemma-embedding.attention.causal"] = .bool(true)
        },
        Change(
            "gemma-embedding-mean",
            says: "gemma-embedding.dense_3_feat_in is 41, but the tensors produce vectors of size 40"
        ) {
            $0.values["gemma-embedding.dense_3_feat_in"] = .uint32(41)
        },
        Change("gemma-embedding-mean", says: "tensor 'blk.7.post_ffw_norm.weight' is missing") {
            $0.removedTensors.insert("blk.7.post_ffw_norm.weight")
        },
        Change("bert-rank", says: "tensor 'token_types.weight' is missing") {
            $0.removedTensors.insert("token_types.weight")
        },
        Change("bert-rank", says: "tensor 'cls.output.weight' is missing") {
            $0.removedTensors.insert("cls.output.weight")
        },
    ]

    private static func file(_ fixture: String) throws -> GGUFFile { try GGUFFile(path: VectorReference.path(fixture)) }

    @Test("A contradictory file is refused, and the error names the contradiction", arguments: changes)
    func contradictions(change: Change) throws {
        var edited = EditedFile(try Self.file(change.fixture))
        change.apply(&edited)
        let file = try edited.encoded()
        let error = #expect(throws: ModelError.self) { _ = try Embedder(file) }
        let text = error?.description ?? ""
        #expect(text.contains(change.expected), "\(text)")
    }

    private static let numbers: [UInt64] = [
        0, 1, 2, 3, 7, 16, 33, 64, 1 << 16, 1 << 20, 1 << 31, 1 << 32, 1 << 63, .max,
    ]

    @Test(
        "A file with one number changed is refused or computes",
        arguments: ["nomic-bert-mean", "modern-bert-cls", "gemma-embedding-mean", "bert-rank"],
        [
            "context_length", "embedding_length", "block_count", "attention.head_count", "attention.head_count_kv",
            "attention.key_length", "feed_forward_length", "rope.dimension_count", "attention.sliding_window",
            "attention.sliding_window_pattern", "pooling_type", "dense_2_feat_in", "embedding_length_out",
        ])
    func oneNumber(fixture: String, key: String) throws {
        let file = try Self.file(fixture)
        let architecture = try file.metadata.string("general.architecture")
        for number in Self.numbers {
            var edited = EditedFile(file)
            edited.values["\(architecture).\(key)"] = .uint64(number)
            do throws(ModelError) {
                let embedder = try Embedder(try Self.encoded(edited))
                let pooling = try embedder.pooling(embedder.statedPooling ?? .mean)
                _ = try embedder.vectors(of: [[5, 6, 7]], pooling, Compute(threads: 1))
            } catch {
                // The context may become shorter than the text.
                switch error {
                case .invalidCapacity, .contextFull: break
                default: #expect(error.isAboutTheFile, "\(error)")
                }
            }
        }
    }

    private static func encoded(_ edited: EditedFile) throws(ModelError) -> GGUFFile {
        do { return try edited.encoded() } catch { throw .contradiction("\(error)") }
    }

    @Test("A window longer than the text hides nothing; tokens see half a window in each direction")
    func windows() throws {
        let file = try Self.file("modern-bert-cls")
        func vector(_ window: UInt32, pattern: UInt32? = nil) throws -> [[[Float]]] {
            var edited = EditedFile(file)
            edited.values["modern-bert.attention.sliding_window"] = .uint32(window)
            if let pattern { edited.values["modern-bert.attention.sliding_window_pattern"] = .uint32(pattern) }
            return try Embedder(edited.encoded()).vectors(
                of: [(0..<40).map { 10 + $0 }], .mean, Compute(threads: 1))
        }
        // Odd windows are rounded down to even ones.
        #expect(try vector(20) == vector(21) && vector(20) != vector(22))
        // In 40 tokens the largest distance is 39. A window that hides nothing still has its own RoPE base.
        #expect(try vector(78) == vector(300) && vector(76) != vector(78))
        #expect(try vector(300) == vector(320) && vector(320) == vector(1 << 30) && vector(0) != vector(320))
        #expect(try vector(20, pattern: 1) == vector(0))
    }
}
