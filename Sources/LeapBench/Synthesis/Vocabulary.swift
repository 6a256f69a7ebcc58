/// A synthetic vocabulary with the size and layout of a real one: control tokens, the 256 byte tokens, and made-up
/// words.
struct Vocabulary: Hashable, Sendable {
    /// `tokenizer.ggml.pre`
    let preTokenizer: String
    /// Number of tokens.
    let size: Int
    /// Control tokens by id.
    let controls: [Int: String]
    let beginOfText: Int
    let endOfTurn: Int
    let padding: Int
    let addsBeginOfText: Bool
    let chatTemplate: String

    /// Type numbers of tokens. Source: the GGUF specification, `tokenizer.ggml.token_type`.
    private enum TokenType {
        static let normal: Int32 = 1
        static let control: Int32 = 3
    }

    /// All tokens; byte tokens and words get the ids that no control token has.
    var tokens: [String] {
        var ordinary = 0
        return (0..<size).map { id in
            if let control = controls[id] { return control }
            defer { ordinary += 1 }
            return ordinary < 256 ? ByteAlphabet.inOrder[ordinary] : Self.word(ordinary - 256)
        }
    }

    /// A type number for every token.
    var tokenTypes: [Int32] { (0..<size).map { controls[$0] == nil ? TokenType.normal : TokenType.control } }

    /// The merges that form two-letter words, with and without a space before them.
    var merges: [String] {
        let words = max(0, size - controls.count - 256)
        return (0..<min(words, 2 * Self.syllables.count)).map { index in
            let syllable = Self.syllables[index / 2]
            return index.isMultiple(of: 2)
                ? "\(syllable.prefix(1)) \(syllable.suffix(1))" : "\(ByteAlphabet.space) \(syllable)"
        }
    }

    /// Word `index`: every second one starts with a space.
    private static func word(_ index: Int) -> String {
        let text = spelled(index / 2)
        return index.isMultiple(of: 2) ? text : ByteAlphabet.space + text
    }

    /// A number in syllables; the successor of a length's last word is the first word of the next length.
    private static func spelled(_ number: Int) -> String {
        let syllable = syllables[number % syllables.count]
        return number < syllables.count ? syllable : spelled(number / syllables.count - 1) + syllable
    }

    private static let syllables = "bcdfghjklmnprstvwxyz".flatMap { consonant in
        "aeiou".map { "\(consonant)\($0)" }
    }
}

/// The characters by which byte-level vocabularies represent bytes: printable ones as themselves, the others as the
/// characters from U+0100 on.
///
/// Source: the byte encoder of GPT-2, Radford et al. 2019, section 2.2.
enum ByteAlphabet {
    /// A character for every byte, printable bytes first, as the vocabularies order them.
    static let inOrder: [String] = {
        let printable = [33...126, 161...172, 174...255].flatMap { Array($0) }.map(UInt32.init)
        let others = (0..<256 - printable.count).map { UInt32(256 + $0) }
        return (printable + others).compactMap(Unicode.Scalar.init).map { String($0) }
    }()

    /// The space: byte 32, the 33rd that is not printable.
    static let space = "\u{120}"
}

// MARK: - Layouts

extension Vocabulary {
    /// LFM2: 65,536 tokens, control tokens first.
    static let lfm2 = Vocabulary(
        preTokenizer: "lfm2", size: 65_536,
        controls: controls(
            [
                "<|pad|>", "<|startoftext|>", "<|endoftext|>", "<|fim_pre|>", "<|fim_mid|>", "<|fim_suf|>",
                "<|im_start|>", "<|im_end|>", "<|tool_list_start|>", "<|tool_list_end|>", "<|tool_call_start|>",
                "<|tool_call_end|>", "<|tool_response_start|>", "<|tool_response_end|>",
                "<|audio_start|>", "<|text_start|>", "<|text_end|>",
            ], count: 64, from: 0, reserved: "<|reserved_"),
        beginOfText: 1, endOfTurn: 7, padding: 0, addsBeginOfText: true, chatTemplate: chatML)

    /// Llama 3: 128,256 tokens, control tokens last.
    static let llama3 = Vocabulary(
        preTokenizer: "llama-bpe", size: 128_256,
        controls: controls(
            [
                "<|begin_of_text|>", "<|end_of_text|>", "<|reserved_special_token_a|>",
                "<|reserved_special_token_b|>", "<|finetune_right_pad_id|>", "<|reserved_special_token_c|>",
                "<|start_header_id|>", "<|end_header_id|>", "<|eom_id|>", "<|eot_id|>", "<|python_tag|>",
            ], count: 256, from: 128_000, reserved: "<|reserved_special_token_"),
        beginOfText: 128_000, endOfTurn: 128_009, padding: 128_004, addsBeginOfText: true, chatTemplate: headers)

    /// gpt-oss: 201,088 tokens, control tokens last.
    static let gptOSS = Vocabulary(
        preTokenizer: "gpt-4o", size: 201_088,
        controls: controls(
            [
                "<|startoftext|>", "<|endoftext|>", "<|reserved_a|>", "<|reserved_b|>", "<|return|>", "<|constrain|>",
                "<|reserved_c|>", "<|channel|>", "<|start|>", "<|end|>", "<|message|>", "<|reserved_d|>",
                "<|reserved_e|>", "<|reserved_f|>", "<|call|>",
            ], count: 1090, from: 199_998, reserved: "<|reserved_"),
        beginOfText: 199_998, endOfTurn: 200_002, padding: 199_999, addsBeginOfText: false, chatTemplate: harmony)

    /// SmolLM2: 49,152 tokens, control tokens first.
    static let smolLM2 = Vocabulary(
        preTokenizer: "smollm", size: 49_152,
        controls: controls(
            ["<|endoftext|>", "<|im_start|>", "<|im_end|>"], count: 17, from: 0, reserved: "<reserved_"),
        beginOfText: 1, endOfTurn: 2, padding: 2, addsBeginOfText: false, chatTemplate: chatML)

    /// Qwen 3: 151,936 tokens, control tokens last.
    static let qwen3 = Vocabulary(
        preTokenizer: "qwen2", size: 151_936,
        controls: controls(
            ["<|endoftext|>", "<|im_start|>", "<|im_end|>"], count: 293, from: 151_643, reserved: "<|reserved_"),
        beginOfText: 151_643, endOfTurn: 151_645, padding: 151_643, addsBeginOfText: false, chatTemplate: chatML)

    /// Qwen 3.5: 248,320 tokens, control tokens last.
    static let qwen35 = Vocabulary(
        preTokenizer: "qwen35", size: 248_320,
        controls: controls(
            ["<|endoftext|>", "<|im_start|>", "<|im_end|>"], count: 276, from: 248_044, reserved: "<|reserved_"),
        beginOfText: 248_044, endOfTurn: 248_046, padding: 248_044, addsBeginOfText: false, chatTemplate: chatML)

    /// Gemma 3: the size of its 262,144 tokens, control tokens first; the words are byte-level nevertheless.
    static let gemma3 = Vocabulary(
        preTokenizer: "gpt-2", size: 262_144,
        controls: controls(["<pad>", "<eos>", "<bos>", "<unk>"], count: 106, from: 0, reserved: "<reserved_"),
        beginOfText: 2, endOfTurn: 1, padding: 0, addsBeginOfText: true, chatTemplate: chatML)

    /// `count` control tokens from an id on: the named ones, followed by reserved ones.
    private static func controls(
        _ named: [String], count: Int, from first: Int, reserved: String
    ) -> [Int: String] {
        var controls: [Int: String] = [:]
        for index in 0..<count {
            let suffix = reserved.hasPrefix("<|") ? "|>" : ">"
            controls[first + index] = index < named.count ? named[index] : "\(reserved)\(index)\(suffix)"
        }
        return controls
    }

    private static let chatML = """
        {% for message in messages %}\
        {{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}\
        {% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}
        """

    private static let harmony = """
        {% for message in messages %}\
        {{ '<|start|>' + message['role'] + '<|message|>' + message['content'] + '<|end|>' }}\
        {% endfor %}{% if add_generation_prompt %}{{ '<|start|>assistant' }}{% endif %}
        """

    private static let headers = """
        {% for message in messages %}{{ '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' + \
        message['content'] + '<|eot_id|>' }}{% endfor %}{% if add_generation_prompt %}\
        {{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif %}
        """
}
