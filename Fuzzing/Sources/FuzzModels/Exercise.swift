import LeapChat
import LeapGGUF
import LeapGeneration
import LeapKernels
import LeapModels
import LeapOps
import LeapTokenizer

/// Uses a file as a program uses a model. The only permitted failures are typed errors.
struct Exercise {
    private let options: Options
    private let compute: Compute
    /// The model that the file adapts, if it is an adapter.
    private let adapted: GGUFFile?

    /// One for every kernel level of the CPU, with one thread each: threads affect only the speed.
    private static let computes = Kernels.available.map { Compute(kernels: $0, threads: 1) }

    init(_ options: Options, adapting model: GGUFFile?) {
        self.options = options
        adapted = model
        compute = Self.computes.chosen(by: options.level)
    }

    func run(_ bytes: [UInt8]) {
        do {
            let file = try GGUFFile(bytes: bytes, name: "fuzz.gguf")
            for key in file.metadata.keys { visit(file.metadata.value(key)) }
            attempt { () throws(ModelError) in try see(file) }
            attempt { () throws(ModelError) in try hear(file) }
            attempt { () throws(ModelError) in try speak(file) }
            attempt { () throws(ModelError) in try embed(file) }
            attempt { () throws(ModelError) in try adapt(file) }
            let tokenizer = attempt { () throws(TokenizerError) in try Tokenizer(metadata: file.metadata) }
            if let tokenizer { use(tokenizer) }
            let text = tokenizer.flatMap { render(file, $0) } ?? options.text
            guard let model = load(file) else { return }
            attempt { () throws(ModelError) in try use(model) }
            guard let tokenizer, options.generates else { return }
            let prompt = tokenizer.encode(text, addSpecial: false, parseSpecial: true, keeping: options.promptLength)
            attempt { () throws(GenerationError) in try generate(model, tokenizer, prompt.tokens) }
        } catch { check("\(error)") }
    }

    /// Every error must have a text.
    private func check(_ text: String) { precondition(!text.isEmpty) }

    @discardableResult
    private func attempt<Value, Failure: Error>(_ body: () throws(Failure) -> Value) -> Value? {
        do { return try body() } catch {
            check("\(error)")
            return nil
        }
    }

    private func visit(_ value: GGUFValue?) {
        guard case .array(let array) = value else { return }
        check(array.typeDescription)
        for element in array.prefix(40) { visit(element) }
    }
}

// MARK: - Text

extension Exercise {
    private func use(_ tokenizer: Tokenizer) {
        for warning in tokenizer.warnings { check("\(warning)") }
        for special in [false, true] {
            let tokens = tokenizer.encode(options.text, addSpecial: special, parseSpecial: special)
            precondition(tokens.allSatisfy { $0 >= 0 && Int($0) < tokenizer.vocabularySize })
            var decoder = StreamingDecoder(tokenizer: tokenizer, renderSpecial: special)
            let streamed = tokens.map { decoder.append($0) }.joined() + decoder.finish()
            precondition(streamed == tokenizer.decode(tokens, renderSpecial: special))
            _ = tokenizer.decode(tokens, cleanUpSpaces: true)
            precondition(tokenizer.fewestTokens(ofBytes: options.text.utf8.count) <= tokens.count)
        }
        for token in [.min, -1, 0, Token(truncatingIfNeeded: tokenizer.vocabularySize), .max] {
            _ = tokenizer.decode([token], renderSpecial: true)
            _ = tokenizer.text(of: token)
        }
    }

    private static let limits: TemplateLimits = {
        var limits = TemplateLimits()
        (limits.steps, limits.outputBytes, limits.valueBytes) = (20_000, 1 << 16, 1 << 20)
        return limits
    }()

    private func render(_ file: GGUFFile, _ tokenizer: Tokenizer) -> String? {
        guard let source = attempt({ () throws(GGUFError) in try file.metadata.string("tokenizer.chat_template") })
        else {
            return nil
        }
        return attempt { () throws(TemplateError) in
            try ChatTemplate(source: source, limits: Self.limits).render(
                messages: [
                    ["role": "user", "content": .string(options.text)], ["role": "assistant", "content": "the a"],
                ],
                bosToken: tokenizer.bos.flatMap(tokenizer.text(of:)) ?? "", eosToken: "")
        }
    }
}

// MARK: - Numbers

extension Exercise {
    private func load(_ file: GGUFFile) -> LanguageModel? {
        attempt { () throws(ModelError) in
            try LanguageModel.load(file, keyType: options.keyType, valueType: options.valueType)
        }
    }

    /// Reads a prompt in passes, then token by token, in two sequences at once.
    private func use(_ model: LanguageModel) throws(ModelError) {
        let context = model.configuration.contextLength
        let plan = try model.memoryPlan(contextSize: context, compute)
        let largest = try model.largestContext(within: 1 << 30, compute)
        precondition(plan.privateBytes > 0 && largest <= context)
        let state = try model.makeState(capacity: min(context, 512))
        let tokens = (0..<options.promptLength).map { Int32($0 % model.configuration.vocabularySize) }
        for start in stride(from: 0, to: tokens.count, by: options.chunk) {
            var batch = Batch(of: options.readsAsAnswer ? .answer : .prompt)
            batch.append(
                tokens: tokens[start..<min(start + options.chunk, tokens.count)], to: state, wantsLogits: true)
            try model.forward(batch, compute)
        }
        let fork = state.fork()
        var batch = Batch(of: .answer)
        batch.append(token: 0, to: state, wantsLogits: true)
        batch.append(token: Int32(model.configuration.vocabularySize - 1), to: fork, wantsLogits: true)
        batch.append(
            embedding: [Float](repeating: .nan, count: model.configuration.embeddingLength), to: fork,
            wantsLogits: false)
        let (rows, width) = try model.forward(batch, compute) { ($0.rowCount, $0[1].count) }
        precondition(rows == 2 && width == model.configuration.vocabularySize)
    }

    /// Encodes a picture of a few rows.
    private func see(_ file: GGUFFile) throws(ModelError) {
        let encoder = try VisionEncoder(file)
        let configuration = encoder.configuration
        let (columns, rows) = (1 + options.promptLength % 5, 1 + options.chunk % 4)
        let grid = PatchGrid(width: columns * configuration.scaleFactor, height: rows * configuration.scaleFactor)
        // Valid requests of a hostile file that would take too much of the fuzzer's time.
        guard grid.count * configuration.patchLength <= 1 << 20, configuration.feedForwardLength <= 1 << 16 else {
            return
        }
        let patches = (0..<grid.count * configuration.patchLength).map { Float($0 * 31 % 255) / 127.5 - 1 }
        let encoded = try encoder.encode(patches, of: grid, compute)
        precondition(encoded.count == columns * rows)
        precondition(encoded.allSatisfy { $0.count == configuration.outputLength })
    }

    /// Encodes audio of a few rows.
    private func hear(_ file: GGUFFile) throws(ModelError) {
        let encoder = try AudioEncoder(file)
        let configuration = encoder.configuration
        guard configuration.feedForwardLength <= 1 << 16, configuration.bands * configuration.channels <= 1 << 16 else {
            return
        }
        let count = 1 + options.promptLength
        let frames = (0..<count * configuration.bands).map { Float($0 * 31 % 255) / 127.5 - 1 }
        let rows = try encoder.encode(frames, compute)
        precondition(rows.count == configuration.rows(ofFrames: count))
        precondition(rows.allSatisfy { $0.count == configuration.outputLength })
    }

    /// Generates a frame of codes, and audio from other codes.
    private func speak(_ file: GGUFFile) throws(ModelError) {
        let depthformer = try Depthformer(file)
        let row = (0..<depthformer.configuration.modelWidth).map { Float($0 * 31 % 255) / 127.5 - 1 }
        let frame = try DepthformerRun(depthformer, compute).frame(after: row) { book, _ in
            Int32(options.chunk * (book + 1) % 2049)
        }
        precondition(depthformer.row(of: frame).count == row.count)
        let stream = try SpeechDetokenizer(vocoder: file, tokenizer: nil).begin(compute)
        let frames = try (0..<2).map { number throws(ModelError) in
            try CodeFrame((0..<8).map { Int32((options.promptLength + number) * ($0 + 7) % 2048) })
        }
        let samples = try stream.add(frames) + stream.finish()
        precondition(samples.count == 2 * SpeechDetokenizer.samplesPerFrame && samples.allSatisfy(\.isFinite))
    }

    /// Embeds two texts in one batch.
    private func embed(_ file: GGUFFile) throws(ModelError) {
        let embedder = try Embedder(file)
        let pooling = try embedder.pooling(Pooling.allCases.chosen(by: options.chunk))
        let most = min(embedder.configuration.contextLength, 300)
        let texts = [options.promptLength, options.chunk].map { count in
            (0..<min(count, most)).map { Int32($0 * 7 % embedder.configuration.vocabularySize) }
        }
        let together = try embedder.vectors(of: texts, pooling, secondSegments: [texts[0].count / 2, 1], compute)
        precondition(together.count == 2)
        for vectors in together { precondition(vectors.allSatisfy { $0.count == embedder.vectorLength(pooling) }) }
    }

    /// Applies the file to a valid model as an adapter.
    private func adapt(_ file: GGUFFile) throws(ModelError) {
        guard let adapted else { return }
        let adapter = Adapter(try LoRAFile(file), scale: 0.5)
        try use(try LanguageModel.load(adapted, adapters: [adapter]))
    }

    private func generate(_ model: LanguageModel, _ tokenizer: Tokenizer, _ prompt: [Token]) throws(GenerationError) {
        let generator = try TokenGenerator(
            model: model, tokenizer: tokenizer, compute: compute,
            contextLength: min(model.configuration.contextLength, 512), chunkSize: options.chunk,
            caching: PrefixCacheConfiguration(memory: options.keepsCache ? PrefixCacheLimits() : .none))
        var request = GenerationRequest(
            prompt: Prompt(prompt), sampling: options.sampling, seed: 7,
            stop: StopCondition(tokens: tokenizer.endOfGeneration, strings: options.stopStrings, maxTokens: 10),
            routing: .split(startsInReasoning: options.startsInReasoning),
            reading: AnswerReading(Dialect.all.chosen(by: options.promptLength)), constraint: options.constraint)
        request.thinkingBudget = options.thinkingBudget
        request.topLogprobs = options.topLogprobs
        request.speculates = options.speculates
        request.mayThink = options.startsInReasoning
        request.mayCall = true
        let first = try generator.generate(request)
        precondition(first.tokens.allSatisfy { $0 >= 0 && Int($0) < tokenizer.vocabularySize })
        generator.remember(request.prompt + first.tokens)
        let second = try generator.generate(request)
        precondition(first.tokens == second.tokens, "the same request gave \(first.tokens) and \(second.tokens)")
    }
}
