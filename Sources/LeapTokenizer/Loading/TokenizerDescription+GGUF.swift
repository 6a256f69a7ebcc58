import LeapGGUF

extension TokenizerDescription {
    /// Reads what a file states.
    ///
    /// - Throws: `TokenizerError.metadata` if a required entry is missing or an entry has the wrong type.
    init(_ metadata: GGUFMetadata) throws(TokenizerError) {
        do throws(GGUFError) {
            self.init(model: try metadata.string(TokenizerKey.model), texts: [])
            preTokenizer = try metadata.stringIfPresent(TokenizerKey.preTokenizer)
            scores = try Self.scores(metadata)
            types = try metadata.integersIfPresent(TokenizerKey.types)?.map(Self.type)
            addsBOS = try metadata.boolIfPresent(TokenizerKey.addsBOS)
            // In WordPiece files `add_sep_token` is about pairs of texts; every text ends with the separator.
            if model != TokenizerModel.wordPiece.rawValue {
                addsEOS = try metadata.boolIfPresent(TokenizerKey.addsEOS)
            }
            addsSeparator = try metadata.boolIfPresent(TokenizerKey.addsSeparator)
            addsSpacePrefix = try metadata.boolIfPresent(TokenizerKey.addsSpacePrefix)
            removesExtraSpaces = try metadata.boolIfPresent(TokenizerKey.removesExtraSpaces)
            if [TokenizerModel.unigram, .sentencePiece].contains(where: { model == $0.rawValue }) {
                characterMap = try metadata.integersIfPresent(TokenizerKey.characterMap)?.map(Self.byte)
            }
            // Without scores all segmentations are equal.
            if model == TokenizerModel.unigram.rawValue, scores == nil {
                scores = try metadata.floats(TokenizerKey.scores)
            }
            stripsLeft = try metadata.integersIfPresent(TokenizerKey.stripsLeft)
            stripsRight = try metadata.integersIfPresent(TokenizerKey.stripsRight)
            prependScheme = try metadata.stringIfPresent(TokenizerKey.prependScheme)
            lowercases = try metadata.boolIfPresent(TokenizerKey.lowercases)
            stripsAccents = try metadata.boolIfPresent(TokenizerKey.stripsAccents)
            modelName = try metadata.stringIfPresent(TokenizerKey.modelName) ?? ""
            architecture = try metadata.stringIfPresent(TokenizerKey.architecture) ?? ""
            for key in SpecialTokens.Role.all.map(\.metadataKey) {
                ids[key] = try metadata.integerIfPresent(key, in: Int.min...Int.max)
            }
        } catch {
            throw .metadata(error)
        }
        try readTexts(metadata)
    }

    private mutating func readTexts(_ metadata: GGUFMetadata) throws(TokenizerError) {
        let strings: GGUFStrings
        var rules: GGUFStrings?
        do throws(GGUFError) {
            strings = try metadata.strings(TokenizerKey.texts)
            rules = try metadata.stringsIfPresent(TokenizerKey.merges)
            if model == TokenizerModel.byteLevel.rawValue { rules = try metadata.strings(TokenizerKey.merges) }
        } catch {
            throw .metadata(error)
        }
        texts = try Self.copy(strings, key: TokenizerKey.texts, emptyName: { "[EMPTY_\($0)]" })
        if let rules { merges = try Self.copy(rules, key: TokenizerKey.merges) }
    }

    /// The most bytes of all texts of an array: more than twice as many as in the largest vocabularies.
    /// They are copied, and a file must not take much more memory than its size.
    static let textLimit = 16 << 20

    /// The most texts of an array, eight times as many as in the largest vocabularies: each takes a place in several tables,
    /// even if it is empty.
    static let countLimit = 1 << 21

    /// Copies all strings into one buffer.
    ///
    /// - Parameter emptyName: The text for an empty string, by its index, so that tokens without text differ.
    private static func copy(
        _ strings: GGUFStrings, key: String, emptyName: (Int) -> String = { _ in "" }
    ) throws(TokenizerError) -> TokenTexts {
        let bytes = strings.indices.reduce(0) { $0 + strings.utf8(at: $1).count }
        for (limit, found) in [(countLimit, strings.count), (textLimit, bytes)] where found > limit {
            throw .vocabularyTooLarge(key: key, limit: limit, found: found)
        }
        var texts = TokenTexts()
        texts.reserve(texts: strings.count, bytes: bytes)
        for index in strings.indices {
            let text = strings.utf8(at: index)
            if text.isEmpty { texts.append(emptyName(index).utf8) } else { texts.append(text) }
        }
        return texts
    }

    /// Scores are floating-point numbers; some files have integers.
    private static func scores(_ metadata: GGUFMetadata) throws(GGUFError) -> [Float]? {
        guard case .array(let array)? = metadata.value(TokenizerKey.scores), array.elementType == .int32 else {
            return try metadata.floatsIfPresent(TokenizerKey.scores)
        }
        return try metadata.integers(TokenizerKey.scores).map(Float.init)
    }

    /// A byte of an array, whose numbers are signed in some files.
    private static func byte(_ number: Int) -> UInt8 { UInt8(truncatingIfNeeded: number) }

    private static func type(_ number: Int) -> TokenType {
        UInt8(exactly: number).flatMap(TokenType.init) ?? .undefined
    }
}
