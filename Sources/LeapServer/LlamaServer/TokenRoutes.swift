import HTTPTypes
import LeapEngine
import LeapJSON
import LeapTokenizer

/// Tokenisation in the formats of llama-server and of vLLM, whose routes evaluation tools use.
struct TokenRoutes: Sendable {
    let core: ServerCore

    static let content = Field.string("content", "the text to tokenise")
    static let addSpecial = Field.bool("add_special", "whether to add the BOS and EOS tokens that the model requires")
    static let parseSpecial = Field.bool(
        "parse_special", "whether the text of control tokens is parsed as those tokens")
    static let withPieces = Field.bool("with_pieces", "whether each token ID is returned with its text")
    static let prompt = Field.string("prompt", "the text to tokenise (vLLM API)")
    static let addSpecialTokens = Field.bool(
        "add_special_tokens",
        "with 'prompt': whether to add the BOS and EOS tokens that the model requires; default true")
    static let tokens = Field.array("tokens", "token IDs")

    var routes: [Route] {
        [
            Route(
                method: .post, path: "/tokenize", about: "Converts a text to tokens",
                fields: [
                    Self.content, Self.addSpecial, Self.parseSpecial, Self.withPieces, Self.prompt,
                    Self.addSpecialTokens,
                ]
            ) { exchange, _ in try await tokenize(exchange) },
            Route(
                method: .post, path: "/detokenize", about: "Converts tokens to text", fields: [Self.tokens]
            ) { exchange, _ in try await detokenize(exchange) },
            Route(
                method: .get, path: "/tokenizer_info",
                about: "Returns the BOS and EOS tokens and the chat template of a model (the first one, or ?model=ID)"
            ) { exchange, _ in try await describe(exchange.parameter("model")) },
        ]
    }

    private func tokenize(_ exchange: Exchange) async throws -> Reply {
        let fields = try exchange.fields()
        let lease = try await core.lease(try fields(GenerationFields.model))
        // Keeps the model loaded while it is in use.
        defer { withExtendedLifetime(lease) {} }
        let model = lease.model
        let tokenizer = try model.tokenizer
        if let prompt = try fields(Self.prompt) {
            guard !fields.has(Self.content.name) else {
                throw APIError.invalid(Self.prompt.name, "cannot be combined with 'content': use only one of them")
            }
            let tokens = tokenizer.encode(
                prompt, addSpecial: try fields(Self.addSpecialTokens) ?? true, parseSpecial: true)
            return .json([
                "tokens": Self.numbers(tokens), "count": .integer(tokens.count),
                "max_model_len": model.contextLength.map { .integer($0) } ?? .null,
            ])
        }
        let tokens = tokenizer.encode(
            try fields.required(Self.content), addSpecial: try fields(Self.addSpecial) ?? false,
            parseSpecial: try fields(Self.parseSpecial) ?? true)
        guard try fields(Self.withPieces) == true else { return .json(["tokens": Self.numbers(tokens)]) }
        return .json([
            "tokens": .array(
                tokens.map { token in
                    let bytes = tokenizer.bytes(of: token, renderSpecial: true)
                    let text = String(validating: bytes, as: UTF8.self)
                    return [
                        "id": .integer(Int(token)),
                        "piece": text.map { .string($0) } ?? .array(bytes.map { .integer(Int($0)) }),
                    ]
                })
        ])
    }

    private static func numbers(_ tokens: [Token]) -> JSONValue { .array(tokens.map { .integer(Int($0)) }) }

    /// The text under both names.
    private func detokenize(_ exchange: Exchange) async throws -> Reply {
        let fields = try exchange.fields()
        let lease = try await core.lease(try fields(GenerationFields.model))
        defer { withExtendedLifetime(lease) {} }
        let tokenizer = try lease.model.tokenizer
        let tokens = try CompletionRequest.tokens(try fields.required(Self.tokens), "tokens")
        if let stranger = tokens.first(where: { Int($0) >= tokenizer.vocabularySize }) {
            throw APIError.invalid(
                "tokens", "contains \(stranger), but the highest token ID is \(tokenizer.vocabularySize - 1)")
        }
        let text = JSONValue.string(tokenizer.decode(tokens, renderSpecial: true))
        return .json(["content": text, "prompt": text])
    }

    private func describe(_ name: String?) async throws -> Reply {
        let lease = try await core.lease(name)
        let tokenizer = try lease.model.tokenizer
        func text(_ token: Token?) -> JSONValue {
            token.flatMap { tokenizer.text(of: $0) }.map { .string($0) } ?? .null
        }
        return .json([
            "bos_token": text(tokenizer.bos), "eos_token": text(tokenizer.eos),
            "add_bos_token": .bool(tokenizer.addsBOS),
            "chat_template": lease.model.written?.chatTemplate.map { .string($0) } ?? .null,
            "model_max_length": lease.model.contextLength.map { .integer($0) } ?? .null,
        ])
    }
}
