import Foundation
import LeapBlocks
import LeapGGUF

/// A tiny model that generates a given script, whatever the prompt, and then ends its turn. Greedy decoding
/// is required.
///
/// It is a Llama whose layer adds nothing. A token's embedding is a unit vector, and the output matrix maps each of these
/// to the token that follows, so the pieces of a script are tokens of their own, which occur once each.
public final class ScriptedModel: Sendable {
    /// The model's file; it is removed with the object.
    public let path: String

    /// The marks that are control tokens, as in LFM2's vocabulary.
    public static let controls = ["<|tool_call_start|>", "<|tool_call_end|>", "<think>", "</think>"]

    /// Writes the model.
    ///
    /// - Parameters:
    ///   - script: The text that it generates.
    ///   - spellsMarks: Whether marks are spelled with ordinary tokens. Otherwise the first of each is a control token.
    ///   - controls: The marks that are control tokens.
    ///   - template: Its chat template; ChatML by default.
    ///   - contextLength: The number of tokens in its context.
    public init(
        _ script: String, spellsMarks: Bool = false, controls: [String] = ScriptedModel.controls,
        template: String = ScriptedModel.chatML, contextLength: Int = 8192
    ) throws {
        let folder = FileManager.default.temporaryDirectory
        path = folder.appendingPathComponent("scripted-\(UUID().uuidString).gguf").path
        let pieces = Self.pieces(of: script, controls: spellsMarks ? [] : controls)
        try Self.write(pieces, template, contextLength, to: path)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// ChatML.
    public static let chatML = """
        {%- for m in messages -%}{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' -}}{%- endfor -%}
        {%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}
        """
}

// MARK: - The script

extension ScriptedModel {
    private struct Piece {
        let text: String
        let isControl: Bool
    }

    /// The script in pieces of which no two are equal.
    private static func pieces(of script: String, controls: [String]) -> [Piece] {
        var pieces: [Piece] = []
        var used: Set<String> = []
        var rest = Substring(script)
        while !rest.isEmpty {
            let control = controls.first { rest.hasPrefix($0) && !used.contains($0) }
            let text = control ?? ordinary(rest, used, controls.filter { !used.contains($0) })
            used.insert(text)
            pieces.append(Piece(text: text, isControl: control != nil))
            rest = rest.dropFirst(text.count)
        }
        return pieces
    }

    /// A new piece of two characters or more, up to the next control token. The end of the script is one piece, because
    /// nothing is left that could make its last two characters new.
    private static func ordinary(_ text: Substring, _ used: Set<String>, _ controls: [String]) -> String {
        if text.count <= 6, !used.contains(String(text)) { return String(text) }
        var length = 2
        func isAtControl(_ offset: Int) -> Bool {
            controls.contains { text.dropFirst(offset).hasPrefix($0) }
        }
        while length < text.count, !isAtControl(length),
            used.contains(String(text.prefix(length))) || text.count == length + 1 || isAtControl(length + 1)
        {
            length += 1
        }
        return String(text.prefix(length))
    }
}

// MARK: - The file

extension ScriptedModel {
    private static let headDimension = 32

    private static func write(
        _ pieces: [Piece], _ template: String, _ contextLength: Int, to path: String
    ) throws {
        let fixed: [(String, Int32)] =
            [("<|im_start|>", 3), ("<|im_end|>", 3), ("qj", 1)] + (0...255).map { (byteText([UInt8($0)]), 1) }
        let script = pieces.map {
            ($0.isControl ? $0.text : byteText(Array($0.text.utf8)), $0.isControl ? 3 : 1 as Int32)
        }
        let tokens = fixed + script
        let width = (tokens.count + headDimension - 1) / headDimension * headDimension
        var writer = GGUFWriter()
        setMetadata(of: &writer, tokens, width, template, contextLength)
        let tensors = tensors(fixed.count, tokens.count, width)
        for tensor in tensors {
            try writer.addTensor(tensor.name, type: .F32, dimensions: tensor.dimensions)
        }
        try writer.write(to: path) { output in
            for tensor in tensors { try output.append(tensor.values) }
        }
    }

    private static func setMetadata(
        of writer: inout GGUFWriter, _ tokens: [(String, Int32)], _ width: Int, _ template: String,
        _ contextLength: Int
    ) {
        writer.set("general.architecture", .string("llama"))
        let numbers = [
            ("block_count", 1), ("context_length", contextLength), ("embedding_length", width),
            ("feed_forward_length", 32),
            ("attention.head_count", width / headDimension), ("attention.head_count_kv", 1),
            ("rope.dimension_count", headDimension), ("vocab_size", tokens.count),
        ]
        for (key, number) in numbers { writer.set("llama.\(key)", .uint32(UInt32(number))) }
        writer.set("llama.attention.layer_norm_rms_epsilon", .float32(1e-5))
        writer.set("tokenizer.ggml.model", .string("gpt2"))
        writer.set("tokenizer.ggml.pre", .string("lfm2"))
        writer.set("tokenizer.ggml.tokens", strings: tokens.map(\.0))
        writer.set("tokenizer.ggml.token_type", array: tokens.map(\.1))
        writer.set("tokenizer.ggml.merges", strings: ["q j"])
        writer.set("tokenizer.ggml.eos_token_id", .uint32(1))
        writer.set("tokenizer.ggml.add_bos_token", .bool(false))
        writer.set("tokenizer.chat_template", .string(template))
    }

    private struct TensorData {
        let name: String
        let dimensions: [Int]
        let values: [Float]

        /// A matrix with ones where `columns` says, row by row.
        init(_ name: String, rows: Int, columns width: Int, ones: [(row: Int, column: Int)] = []) {
            var values = [Float](repeating: 0, count: rows * width)
            for (row, column) in ones { values[row * width + column] = 1 }
            self.name = name
            dimensions = [width, rows]
            self.values = values
        }

        /// A vector of ones.
        init(_ name: String, count: Int) {
            self.name = name
            dimensions = [count]
            values = [Float](repeating: 1, count: count)
        }
    }

    /// - Parameter fixed: Tokens before those of the script, which all lead to its beginning.
    private static func tensors(_ fixed: Int, _ count: Int, _ width: Int) -> [TensorData] {
        let following = (0..<count).map { token in
            let next = token < fixed ? fixed : token + 1
            return (row: next < count ? next : 1, column: token)
        }
        return [
            TensorData("token_embd.weight", rows: count, columns: width, ones: (0..<count).map { ($0, $0) }),
            TensorData("blk.0.attn_norm.weight", count: width),
            TensorData("blk.0.attn_q.weight", rows: width, columns: width),
            TensorData("blk.0.attn_k.weight", rows: headDimension, columns: width),
            TensorData("blk.0.attn_v.weight", rows: headDimension, columns: width),
            TensorData("blk.0.attn_output.weight", rows: width, columns: width),
            TensorData("blk.0.ffn_norm.weight", count: width),
            TensorData("blk.0.ffn_gate.weight", rows: 32, columns: width),
            TensorData("blk.0.ffn_up.weight", rows: 32, columns: width),
            TensorData("blk.0.ffn_down.weight", rows: width, columns: 32),
            TensorData("output_norm.weight", count: width),
            TensorData("output.weight", rows: count, columns: width, ones: following),
        ]
    }

    /// Bytes as byte-level vocabularies write them: printable ones as themselves, the others from U+0100 on.
    /// Source: the byte encoder of GPT-2, Radford et al. 2019, section 2.2.
    private static func byteText(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map { byteAlphabet[Int($0)] }))
    }

    private static let byteAlphabet: [Unicode.Scalar] = {
        var others: UInt32 = 256
        return (0...255).map { (byte: UInt8) in
            switch byte {
            case 33...126, 161...172, 174...255: return Unicode.Scalar(byte)
            default:
                defer { others += 1 }
                return Unicode.Scalar(others) ?? " "
            }
        }
    }()
}
