import LeapJSON

/// Identifies a vocabulary's pre-tokenizer from `tokenizer.json`: its steps and their regular expressions.
enum PreTokenizerName {
    /// A splitting rule.
    private struct Rule {
        /// Steps, as ``steps(of:)`` writes them.
        let steps: [String]
        /// Its name in GGUF files.
        let name: String
        /// The name if a piece that is a token becomes that token without merging; `nil` if there is none.
        var ignoringMerges: String?
    }

    private static let words = #"[^\r\n\p{L}\p{N}]?\p{L}+"#
    private static let contractions = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
    private static let rest = #" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"#
    private static let restWithSlash = #" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"#
    private static let upper = #"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"#
    private static let lower = #"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"#

    private static let rules: [Rule] = [
        Rule(steps: ["gpt2"], name: "gpt-2"),
        Rule(steps: ["digits", "gpt2"], name: "smollm"),
        Rule(
            steps: [#"split \#(contractions)|\#(words)|\p{N}{1,3}|\#(rest)"#], name: "dbrx", ignoringMerges: "llama-bpe"
        ),
        Rule(steps: [#"split \#(contractions)|\#(words)|\p{N}|\#(rest)"#], name: "qwen2"),
        Rule(
            steps: [
                #"split \#(contractions)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"#
            ], name: "qwen35"),
        Rule(
            steps: [
                #"split [^\r\n\p{L}\p{N}]?\#(upper)*\#(lower)+\#(contractions)?|[^\r\n\p{L}\p{N}]?\#(upper)+\#(lower)*\#(contractions)?|\p{N}{1,3}|\#(restWithSlash)"#
            ], name: "gpt-4o"),
        Rule(
            steps: [
                #"split [^\r\n\p{L}\p{N}]?\#(upper)*\#(lower)+|[^\r\n\p{L}\p{N}]?\#(upper)+\#(lower)*|\p{N}|\#(restWithSlash)"#
            ], name: "tekken", ignoringMerges: "tekken"),
    ]

    /// The pre-tokenizer's name in GGUF files.
    ///
    /// - Throws: ``ConversionError`` for an unknown one.
    static func detect(_ files: TokenizerFiles) throws(ConversionError) -> String {
        let steps = steps(of: files.tokenizer?["pre_tokenizer"])
        guard let rule = rules.first(where: { $0.steps == steps }) else {
            throw .vocabulary(
                path: files.folder.file("tokenizer.json"),
                problem:
                    "has an unsupported pre-tokenizer: \(steps.isEmpty ? "none" : steps.joined(separator: ", then "))"
            )
        }
        let ignoresMerges = files.tokenizer?["model"]?["ignore_merges"] == .bool(true)
        if ignoresMerges, let name = rule.ignoringMerges {
            return name == "llama-bpe" ? files.recipe.preTokenizerName ?? name : name
        }
        return rule.name
    }

    /// The steps that are applied to a text before its pieces are merged, in order.
    private static func steps(of json: JSONValue?) -> [String] {
        guard let json, json != .null else { return [] }
        switch json["type"]?.string {
        case "Sequence"?: return (json["pretokenizers"]?.array ?? []).flatMap { steps(of: $0) }
        case "ByteLevel"?: return json["use_regex"] == .bool(false) ? [] : ["gpt2"]
        case "Digits"?: return json["individual_digits"] == .bool(true) ? ["digits"] : ["groups of digits"]
        case "Split"?: return [split(json)]
        case let other?: return [other]
        case nil: return ["a step without a type"]
        }
    }

    private static func split(_ json: JSONValue) -> String {
        guard let pattern = json["pattern"]?["Regex"]?.string else { return "split at a string" }
        // Matches and the text between them are pieces, whichever of the two is declared as removed or isolated.
        guard json["behavior"] == "Isolated" || (json["behavior"] == "Removed" && json["invert"] == .bool(true)) else {
            return "split with another behaviour"
        }
        return "split \(normalized(pattern))"
    }

    /// A regular expression, normalised to a form with the same matches: without possessive quantifiers, and with
    /// uniform spellings of contractions and line breaks.
    private static func normalized(_ pattern: String) -> String {
        let spellings = [
            ("?+", "?"), ("++", "+"), ("*+", "*"), (#"'(?i:[sdmt]|ll|ve|re)"#, contractions),
            (#"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"#, contractions),
            (#"|\s*[\r\n]|"#, #"|\s*[\r\n]+|"#),
        ]
        return spellings.reduce(pattern) { $0.replacing($1.0, with: $1.1) }
    }
}
