import LeapJSON

/// What is done with the letters of a text before its words are looked for, as far as the files say: the normalizer of
/// `tokenizer.json`, or the settings of folders without that file.
struct WordNormalization {
    let lowercases: Bool?
    /// Where nothing is said of it, accents go with capitals.
    let stripsAccents: Bool?

    init(_ files: TokenizerFiles) {
        let step = TextSteps(files).normalizers.last
        lowercases = Self.flag(step?["lowercase"] ?? files.settings?["do_lower_case"])
        stripsAccents = Self.flag(step?["strip_accents"] ?? files.settings?["strip_accents"])
    }

    private static func flag(_ json: JSONValue?) -> Bool? {
        guard case .bool(let flag)? = json else { return nil }
        return flag
    }
}
