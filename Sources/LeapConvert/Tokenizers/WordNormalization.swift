import LeapJSON

/// The normalisation of a text's letters before words are matched, as far as the files specify it: the normalizer of
/// `tokenizer.json`, or the settings of folders without that file.
struct WordNormalization {
    let lowercases: Bool?
    /// If unspecified, accents are stripped when letters are lower-cased.
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
