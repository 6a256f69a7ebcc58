import LeapJSON

/// What is done with the letters of a text before its words are looked for, as far as the files say: the normalizer of
/// `tokenizer.json`, or the settings of folders without that file.
struct WordNormalization {
    private(set) var lowercases: Bool?
    private(set) var stripsAccents: Bool?

    init(_ files: TokenizerFiles) {
        if let tokenizer = files.tokenizer {
            if let normalizer = tokenizer["normalizer"] { read(normalizer) }
        } else {
            lowercases = Self.flag(files.settings?["do_lower_case"])
            stripsAccents = Self.flag(files.settings?["strip_accents"])
        }
    }

    private mutating func read(_ normalizer: JSONValue) {
        switch normalizer["type"]?.string {
        case "Lowercase"?: lowercases = true
        case "StripAccents"?: stripsAccents = true
        case "Sequence"?: for step in normalizer["normalizers"]?.array ?? [] { read(step) }
        default:
            lowercases = Self.flag(normalizer["lowercase"]) ?? lowercases
            stripsAccents = Self.flag(normalizer["strip_accents"]) ?? stripsAccents
        }
    }

    private static func flag(_ json: JSONValue?) -> Bool? {
        guard case .bool(let flag)? = json else { return nil }
        return flag
    }
}
