import LeapChat
import LeapGGUF
import LeapGeneration
import LeapJSON
import LeapTokenizer

/// Turns messages into the tokens that a model was trained to see.
///
/// The rendered template is tokenised as a whole. Only the template itself can write control tokens: in messages, functions
/// and variables, text that spells one stays text, unless the options trust it (decision 0027).
struct ChatPrompt: Sendable {
    /// The messages as a model reads them.
    struct Rendered: Sendable {
        let prompt: Prompt
        /// The prompt as its template wrote it.
        let text: String
    }

    /// `nil` if the model was not trained to chat; it can still continue a text.
    private let template: ChatTemplate?
    /// The template for conversations with functions, if the model has a separate one.
    private let toolTemplate: ChatTemplate?
    private let tokenizer: Tokenizer
    /// The control tokens that messages must not contain; `nil` if messages are trusted.
    private let controlTexts: ControlTexts?
    /// What makes rows of pictures and sounds.
    private let modalities: Modalities
    /// What the model writes around thoughts and calls.
    let dialect: Dialect
    /// Whether the template supports reasoning, as those of reasoning models do.
    let mentionsThoughts: Bool

    /// - Parameters:
    ///   - source: A template that takes the place of the file's.
    ///   - trustsControlTokens: Whether messages may bring control tokens.
    ///   - modalities: Make rows of pictures and sounds.
    /// - Throws: `TemplateError` for an invalid template, `GGUFError` for one that is not a string.
    init(
        source: String?, metadata: GGUFMetadata, tokenizer: Tokenizer, trustsControlTokens: Bool = false,
        modalities: Modalities = Modalities()
    ) throws {
        self.modalities = modalities
        let own = try metadata.stringIfPresent("tokenizer.chat_template")
        let known = source ?? own ?? DefaultChatTemplate.source(for: tokenizer)
        template = try known.map { try ChatTemplate(source: $0) }
        let variant = try known.flatMap(ChatTemplateVariants.init)?.template(hasTools: true)
        let named = source == nil ? try metadata.stringIfPresent("tokenizer.chat_template.tool_use") : nil
        toolTemplate = try (variant ?? named).map { try ChatTemplate(source: $0) }
        self.tokenizer = tokenizer
        controlTexts = trustsControlTokens ? nil : ControlTexts(tokenizer)
        let dialect = (toolTemplate ?? template).map { Dialect(of: $0) } ?? .plain
        self.dialect = dialect
        mentionsThoughts = known.map { dialect.thinks(in: $0) } ?? false
    }

    /// Only continues texts.
    init(withoutTemplate tokenizer: Tokenizer) {
        (template, toolTemplate, controlTexts, dialect, mentionsThoughts) = (nil, nil, nil, .plain, false)
        modalities = Modalities()
        self.tokenizer = tokenizer
    }

    /// The source of the template.
    var source: String? { (toolTemplate ?? template)?.source }

    /// Renders and tokenises.
    ///
    /// - Parameters:
    ///   - messages: The messages of the request, or what is left of them.
    ///   - limit: Tokens of the context, of which the answer needs at least one.
    /// - Throws: `TemplateError`, `GenerationError` for a prompt that is too long, or ``EngineError``.
    func render(_ messages: [Message], of request: ChatRequest, limit: Int = .max) throws -> Rendered {
        let messages = modalities.recalling(messages).withNumberedCalls
        let (pictures, sounds) = (messages.flatMap(\.pictures), try modalities.sounds(of: messages))
        guard pictures.isEmpty || modalities.vision != nil else { throw EngineError.seesNoPictures }
        // A template that drops lists of parts, or prints them literally, gets plain text with placeholders instead.
        let styles: [CallHistory.MediaStyle] = pictures.isEmpty ? [.text] : [.parts, .text]
        var found = (pictures: 0, sounds: 0)
        for style in styles {
            let (text, prompt) = try renderText(messages, of: request, style)
            let pieces = try tokens(ofPiecesOf: prompt, isOne: sounds.isEmpty, limit: limit)
            found = (pictures.isEmpty ? 0 : places(in: pieces), sounds.isEmpty ? 0 : pieces.count - 1)
            guard found == (pictures.count, sounds.count) else { continue }
            let whole = try modalities.prompt(pieces, showing: pictures, playing: sounds, limit: limit)
            return Rendered(prompt: whole, text: text)
        }
        guard found.sounds == sounds.count else {
            throw EngineError.placesOfSounds(expected: sounds.count, found: found.sounds)
        }
        throw EngineError.placesOfPictures(expected: pictures.count, found: found.pictures)
    }

    /// Places of pictures.
    private func places(in pieces: [[Token]]) -> Int {
        pieces.reduce(0) { $0 + (modalities.vision?.tokens.places(in: $1) ?? 0) }
    }

    private func renderText(
        _ messages: [Message], of request: ChatRequest, _ media: CallHistory.MediaStyle
    ) throws -> (text: String, prompt: RenderedPrompt) {
        let usesTools = !request.tools.isEmpty || messages.contains { $0.role == .tool || !$0.calls.isEmpty }
        guard let template = usesTools ? toolTemplate ?? template : template else {
            throw EngineError.noChatTemplate
        }
        let marks = marks(of: template, for: messages)
        let tools =
            request.tools.isEmpty
            ? nil : ToolDefinitions.fitted(request.tools.map { marks.marked($0.json) }, to: template)
        let history = CallHistory(
            template: template, tools: tools, dialect: dialect(request.options.calls), marks: marks, media: media)
        var text = try template.render(
            messages: history.templateMessages(messages), tools: tools, addGenerationPrompt: request.beginsAnswer,
            bosToken: text(of: tokenizer.bos), eosToken: text(of: tokenizer.eos),
            variables: variables(of: request).mapValues(marks.marked))
        if request.beginsAnswer, request.options.constraint != nil || request.options.requiredCalls != nil {
            text += dialect.answerHeader(after: text)
        }
        let whole = text + marks.marked(request.beginning, sparing: [])
        let prompt = marks == nil ? RenderedPrompt(trusting: whole) : RenderedPrompt(marked: whole)
        return (prompt.text, prompt)
    }

    /// The marks that keep messages from writing control tokens. Trusted messages are kept only from writing the
    /// placeholders of pictures and sounds, if there are any.
    private func marks(of template: ChatTemplate, for messages: [Message]) -> InputMarks? {
        if let controlTexts { return InputMarks(controlTexts.reserved(), for: template) }
        let (shows, plays) = (messages.contains { !$0.pictures.isEmpty }, messages.contains { !$0.sounds.isEmpty })
        return shows || plays ? InputMarks(ReservedTexts(shows ? [VisionTokens.place] : []), for: template) : nil
    }

    private func variables(of request: ChatRequest) -> [String: JSONValue] {
        var variables: [String: JSONValue] = [:]
        if let thinks = request.thinks {
            for name in ChatRequest.thinkingVariables { variables[name] = .bool(thinks) }
        }
        return variables.merging(request.templateVariables) { $1 }
    }

    /// The dialect in which an answer is parsed. Whatever dialect the calls are in, thoughts are written in the model's own.
    func dialect(_ calls: AnswerOptions.CallReading) -> Dialect {
        switch calls {
        // A template that reveals no format gets LFM's marks, which nothing else uses.
        case .ofModel: dialect.orLFM
        case .dialect(let other): other.thinking(as: dialect)
        case .none: dialect.withoutCalls
        }
    }

    /// Tokens of a text that is continued as it is.
    func tokens(continuing text: String, limit: Int) throws(GenerationError) -> [Token] {
        try tokens(of: RenderedPrompt(trusting: text), addSpecial: true, limit: limit)
    }

    /// The tokens of a fill-in-the-middle prompt. Control tokens spelled in the two texts stay text.
    ///
    /// Source: Bavarian et al. 2022, "Efficient Training of Language Models to Fill in the Middle", section 3, "PSM".
    /// - Throws: ``EngineError/fillsNoGaps``, or `GenerationError`.
    func tokens(infilling prefix: String, suffix: String, limit: Int) throws -> [Token] {
        guard let marks = tokenizer.fillMarks else { throw EngineError.fillsNoGaps }
        let begin = tokenizer.addsBOS ? [tokenizer.bos].compactMap(\.self) : []
        func part(_ text: String) throws(GenerationError) -> [Token] {
            try tokens(of: RenderedPrompt(trusting: text), addSpecial: false, parseSpecial: false, limit: limit)
        }
        let (head, tail) = (try part(prefix), try part(suffix))
        let prompt = begin + [marks.prefix] + head + [marks.suffix] + tail + [marks.middle]
        guard prompt.count < limit else {
            throw GenerationError.promptTooLong(promptTokens: prompt.count, contextLength: limit)
        }
        return prompt
    }

    /// The tokens of a text that leaves room for an answer. Stops tokenising as soon as the text is known to be too long.
    private func tokens(
        of prompt: RenderedPrompt, addSpecial: Bool, parseSpecial: Bool = true, limit: Int
    ) throws(GenerationError) -> [Token] {
        let size = prompt.text.utf8.count
        let fewest = tokenizer.fewestTokens(ofBytes: size)
        guard fewest < limit else {
            throw .promptFarTooLong(bytes: size, fewestTokens: fewest, contextLength: limit)
        }
        let (tokens, count, isExact) = tokenizer.encode(
            prompt.text, addSpecial: addSpecial, parseSpecial: parseSpecial, cuts: prompt.cuts, keeping: limit)
        guard count >= limit else { return tokens }
        throw isExact
            ? .promptTooLong(promptTokens: count, contextLength: limit)
            : .promptFarTooLong(bytes: size, fewestTokens: count, contextLength: limit)
    }

    /// Whether the first of some tokens is the beginning-of-sequence token.
    func hasBeginToken(_ tokens: [Token]) -> Bool {
        tokens.first != nil && tokens.first == tokenizer.bos
    }

    private func text(of token: Token?) -> String {
        token.flatMap { tokenizer.text(of: $0) } ?? ""
    }

    /// The tokens of the text between placeholders of sounds. Most templates write the beginning-of-sequence token
    /// themselves; if one does not, the token is put in front.
    ///
    /// - Parameter isOne: Whether there are no sounds, so that the text must not be split.
    private func tokens(
        ofPiecesOf prompt: RenderedPrompt, isOne: Bool, limit: Int
    ) throws(GenerationError) -> [[Token]] {
        var pieces: [[Token]] = []
        var room = limit
        for piece in isOne ? [prompt] : prompt.pieces {
            do {
                let tokens = try tokens(of: piece, addSpecial: false, limit: room)
                room -= tokens.count
                pieces.append(tokens)
            } catch { throw error.inPrompt(ofBytes: prompt.text.utf8.count, after: limit - room, limit: limit) }
        }
        if tokenizer.addsBOS, let bos = tokenizer.bos, pieces.first?.first != bos {
            pieces = [[bos] + (pieces.first ?? [])] + pieces.dropFirst()
        }
        return pieces
    }
}

extension GenerationError {
    /// The error of a prompt for that of one of its pieces, which must fit the room that the tokens before it left.
    fileprivate func inPrompt(ofBytes bytes: Int, after tokens: Int, limit: Int) -> GenerationError {
        switch self {
        case .promptTooLong(let count, _): .promptTooLong(promptTokens: tokens + count, contextLength: limit)
        case .promptFarTooLong(_, let fewest, _):
            .promptFarTooLong(bytes: bytes, fewestTokens: tokens + fewest, contextLength: limit)
        default: self
        }
    }
}
