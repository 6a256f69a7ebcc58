/// The tokens of a vocabulary that have a role.
struct SpecialTokens: Sendable {
    /// Begins a text.
    var bos: Token?
    /// Ends a text.
    var eos: Token?
    /// Ends a turn of a conversation.
    var eot: Token?
    /// Ends a message that waits for a tool's answer.
    var eom: Token?
    /// Stands for text that the vocabulary cannot spell.
    var unknown: Token?
    /// Pads.
    var padding: Token?
    /// Ask for the text between two texts.
    var fill: FillMarks?
    /// All tokens after which generation ends.
    var endOfGeneration: Set<Token> = []
    /// Tokens that are rendered like text but structure a conversation, so untrusted text must never become one.
    var structure: Set<Token> = []
}

extension SpecialTokens {
    /// A role that a file states by an id (`tokenizer.ggml.<key>_token_id`) or, failing that, by a token's text.
    struct Role: Sendable {
        /// Middle part of the metadata key.
        let key: String
        /// Texts that are known to have the role, the first that exists counts.
        var texts: [String] = []

        /// The metadata key.
        var metadataKey: String { "tokenizer.ggml.\(key)_token_id" }

        static let bos = Role(key: "bos")
        static let eos = Role(key: "eos")
        static let unknown = Role(key: "unknown")
        static let padding = Role(key: "padding")
        /// Begins a text that is classified, in WordPiece vocabularies.
        static let cls = Role(key: "cls")
        /// Ends a text there; files spell the key so.
        static let separator = Role(key: "seperator")
        static let eot = Role(
            key: "eot",
            texts: [
                "<|eot_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>", "<|end_of_text|>", "<EOT>",
                "_<EOT>", "[EOT]", "<｜end▁of▁sentence｜>", "<end_of_utterance>",
            ])
        static let eom = Role(key: "eom", texts: ["<|eom_id|>"])

        /// Roles in filling in the middle of code. Their tokens are control tokens, and the last three end a generation.
        static let fillPrefix = Role(
            key: "fim_pre",
            texts: [
                "<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<|fim_pre|>", "<｜fim▁begin｜>", "<PRE>", "▁<PRE>",
                "<|code_prefix|>", "<|prefix|>",
            ])
        static let fillSuffix = Role(
            key: "fim_suf",
            texts: [
                "<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<|fim_suf|>", "<｜fim▁hole｜>", "<SUF>", "▁<SUF>",
                "<|code_suffix|>", "<|suffix|>",
            ])
        static let fillMiddle = Role(
            key: "fim_mid",
            texts: [
                "<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<|fim_mid|>", "<｜fim▁end｜>", "<MID>", "▁<MID>",
                "<|code_middle|>", "<|middle|>",
            ])
        static let fillPadding = Role(
            key: "fim_pad", texts: ["<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"])
        static let fillRepository = Role(
            key: "fim_rep", texts: ["<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"])
        static let fillFile = Role(key: "fim_sep", texts: ["<|file_sep|>"])

        static let all = [
            bos, eos, unknown, padding, cls, separator, eot, eom, fillPrefix, fillSuffix, fillMiddle, fillPadding,
            fillRepository,
            fillFile,
        ]
    }

    /// Texts whose tokens end a generation in every vocabulary that has them.
    private static let endTexts = [
        "<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|flush|>", "<|calls|>", "<end_of_turn>",
        "<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]", "<|end_of_text|>",
        "<end_of_utterance>", "<eos>", "<turn|>", "<|tool_response>", "<｜end▁of▁sentence｜>", "[e~[",
    ]

    /// Texts of o200k_harmony that mark structure inside an answer: shown, though files call them control tokens.
    private static let shownTexts = ["<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"]
}

// MARK: - Collecting

extension SpecialTokens {
    /// Finds the roles of a vocabulary and corrects the types of tokens that have one.
    ///
    /// - Parameter ids: the ids that the file states, by metadata key. One that is out of range counts as not stated:
    ///   files write -1 for "none".
    init(of vocabulary: inout Vocabulary, ids: [String: Int]) {
        bos = Self.stated(.bos, ids, vocabulary)
        eos = Self.stated(.eos, ids, vocabulary)
        unknown = Self.stated(.unknown, ids, vocabulary)
        padding = Self.stated(.padding, ids, vocabulary)
        eot = Self.find(.eot, ids, &vocabulary)
        eom = Self.find(.eom, ids, &vocabulary)
        let marks = [Role.fillPrefix, .fillSuffix, .fillMiddle].map { Self.find($0, ids, &vocabulary) }
        if let prefix = marks[0], let suffix = marks[1], let middle = marks[2] {
            fill = FillMarks(prefix: prefix, suffix: suffix, middle: middle)
        }
        for role in [Role.fillPadding, .fillRepository, .fillFile] {
            if let token = Self.find(role, ids, &vocabulary) { endOfGeneration.insert(token) }
        }
        addEndTexts(&vocabulary)
        for token in Self.shownTexts.compactMap(vocabulary.token(for:)) {
            if vocabulary.type(of: token) == .control { structure.insert(token) }
            vocabulary.setType(.userDefined, of: token)
        }
        endOfGeneration.formUnion([eos, eot, eom].compactMap(\.self))
        removeExceptions(&vocabulary)
    }

    private static func stated(_ role: Role, _ ids: [String: Int], _ vocabulary: Vocabulary) -> Token? {
        ids[role.metadataKey].flatMap(Token.init(exactly:)).flatMap { vocabulary.contains($0) ? $0 : nil }
    }

    /// The token with a role, by id or by text; one that is found by its text becomes a control token.
    private static func find(_ role: Role, _ ids: [String: Int], _ vocabulary: inout Vocabulary) -> Token? {
        if let token = stated(role, ids, vocabulary) { return token }
        guard let token = role.texts.lazy.compactMap(vocabulary.token(for:)).first else { return nil }
        vocabulary.setType(.control, of: token)
        return token
    }

    private mutating func addEndTexts(_ vocabulary: inout Vocabulary) {
        for token in Self.endTexts.compactMap(vocabulary.token(for:)) {
            endOfGeneration.insert(token)
            vocabulary.setType(.control, of: token)
        }
    }

    /// Two formats have a text from the list that does not end an answer in them.
    private mutating func removeExceptions(_ vocabulary: inout Vocabulary) {
        let ends = { [vocabulary, endOfGeneration] (text: String) -> Token? in
            vocabulary.token(for: text).flatMap { endOfGeneration.contains($0) ? $0 : nil }
        }
        let hasCall = ends("<|call|>") != nil || ends("<|calls|>") != nil
        let isHarmony = hasCall && (ends("<|return|>") != nil || ends("<|flush|>") != nil)
        let isGemma4 = ends("<|tool_response>") != nil
        let exceptions: [(Token?, TokenType)] = [
            (isHarmony ? ends("<|end|>") : nil, .userDefined), (isGemma4 ? ends("</s>") : nil, .normal),
        ]
        for case (let token?, let type) in exceptions {
            endOfGeneration.remove(token)
            if type == .userDefined { structure.insert(token) }
            vocabulary.setType(type, of: token)
        }
    }
}
