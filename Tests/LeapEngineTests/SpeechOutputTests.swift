import Foundation
import LeapAudio
import LeapGGUF
import LeapModels
import LeapOps
import LeapTokenizer
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapEngine
@testable import LeapGeneration

/// Speech output: text and audio in order, the same whatever other requests are answered, and reused
/// in the next turn.
@Suite("Speech output")
struct SpeechOutputTests {
    static let folder = Fixture.folder.appending(path: "audio")

    private static func path(_ name: String) -> String { folder.appending(path: name + ".gguf").path }

    private func options() -> ModelOptions {
        var options = ModelOptions(path: Self.path("lfm2-audio-chat-q8_0"))
        options.vocoderPath = Self.path("vocoder-speech")
        options.audioTokenizerPath = Self.path("tokenizer-speech")
        options.contextSize = 512
        return options
    }

    private func open(_ options: ModelOptions) throws -> Engine { try Engine(options, compute: Compute()) }

    /// A request for speech, greedy by default, which a logit bias makes the model start.
    private func request(
        _ engine: Engine, _ order: SpeechOrder, steps: Int, _ messages: [Message] = [Message(.user, "Hello")],
        temperature: Float = 0, seed: UInt64 = 1
    ) throws -> GenerationRequest {
        let model = try engine.model()
        var options = AnswerOptions()
        options.speech = .wanted
        options.speechOptions = SpeechOptions(order: order, temperature: temperature, topK: 8)
        options.maxTokens = steps
        options.seed = seed
        options.ignoresEnd = true
        options.sampling.repetitionPenalty = 1
        if order == .sequential {
            options.sampling.logitBias[Int(try #require(SpeechMarks(model.tokenizer)).start)] = 1000
        }
        return try model.request(ChatRequest(messages, options))
    }

    private struct Heard: Equatable {
        var items: [SpokenAnswer.Item]
        var samples: [Float]
        var text: String
        /// Samples of each piece.
        var pieces: [Int]
    }

    private func hear(_ request: GenerationRequest, _ engine: Engine) async throws -> (heard: Heard, answer: Answer) {
        let heard = Mutex(Heard(items: [], samples: [], text: "", pieces: []))
        let answer = try await engine.answer(request, cancellation: CancellationFlag()) { event in
            heard.withLock { heard in
                switch event {
                case .sound(let samples):
                    heard.samples += samples
                    heard.pieces.append(samples.count)
                case .text(let text): heard.text += text
                default: break
                }
            }
        }
        var result = heard.withLock(\.self)
        result.items = answer.result.spoken?.items ?? []
        return (result, answer)
    }

    /// An independent version of the loop, one step at a time.
    private func expected(_ request: GenerationRequest, _ engine: Engine, steps: Int) throws -> [SpokenAnswer.Item] {
        let (model, compute) = (try engine.model(), Compute())
        let speech = try #require(request.speech)
        let state = try model.weights.makeState(capacity: 512)
        var batch = Batch(of: .prompt)
        batch.append(tokens: request.prompt.tokens, to: state, wantsLogits: true)
        var logits = try model.weights.forward(batch, compute) { Array($0[0]) }
        var loop = SpeechLoop(speech.order, speech.marks)
        let depthformer = DepthformerRun(speech.voice.depthformer, compute)
        var items: [SpokenAnswer.Item] = []
        while items.count < steps {
            var next = Batch(of: .answer)
            if loop.isSounding {
                // The hidden row after the last step was requested in its pass.
                let frame = try depthformer.frame(after: logits) { _, scores in
                    Int32(scores.indices.max { scores[$0] < scores[$1] } ?? 0)
                }
                items.append(.frame(frame))
                loop.take(frameThatEnds: frame.isEnd)
                next.append(embedding: speech.voice.depthformer.row(of: frame), to: state, wantsLogits: true)
            } else {
                for (token, bias) in request.sampling.logitBias { logits[Int(token)] += bias }
                let token = Token(logits.indices.max { logits[$0] < logits[$1] } ?? 0)
                items.append(.token(token))
                loop.take(token)
                next.append(token: token, to: state, wantsLogits: true)
            }
            if loop.isSounding {
                try model.weights.forward(next, compute, hiddenRow: { logits = Array($1) })
            } else {
                logits = try model.weights.forward(next, compute) { Array($0[0]) }
            }
        }
        return items
    }

    @Test("steps match an independent version of the loop", arguments: [SpeechOrder.sequential, .interleaved])
    func steps(order: SpeechOrder) async throws {
        let engine = try open(options())
        let request = try request(engine, order, steps: 40)
        let (heard, answer) = try await hear(request, engine)
        #expect(heard.items == (try expected(request, engine, steps: 40)))
        #expect(answer.result.finishReason == .maxTokens && answer.result.statistics.completionTokens == 40)
        let frames = try #require(answer.result.spoken).frames
        #expect(frames.count > 10)
        #expect(heard.pieces == [1440] + [Int](repeating: 1920, count: frames.count - 1) + [480])
        let compute = Compute()
        let stream = try #require(request.speech).voice.detokenizer.begin(compute)
        #expect(heard.samples == (try stream.add(frames) + stream.finish()))
        let recording = try Recording(wav: try #require(answer.sound).bytes)
        #expect(recording.sampleRate == 24_000 && recording.samples.count == heard.samples.count)
        // Audio marks are not part of the text.
        #expect(!heard.text.contains("<|"))
        await engine.unload()
    }

    @Test("speech does not depend on concurrent requests")
    func concurrentRequests() async throws {
        let engine = try open(options())
        let requests = try [
            request(engine, .sequential, steps: 24), request(engine, .interleaved, steps: 37, temperature: 1, seed: 5),
            request(engine, .interleaved, steps: 30, [Message(.user, "What is that?")], temperature: 0.8, seed: 9),
        ]
        var alone: [Heard] = []
        for request in requests { alone.append(try await hear(request, engine).heard) }
        var text = AnswerOptions()
        (text.speech, text.maxTokens, text.ignoresEnd, text.usesCache) = (.never, 50, true, false)
        let written = try engine.model().request(ChatRequest([Message(.user, "Hi")], text))
        #expect(written.speech == nil)
        async let beside = hear(written, engine)
        async let first = hear(requests[0], engine)
        async let second = hear(requests[1], engine)
        async let third = hear(requests[2], engine)
        let together = try await [first.heard, second.heard, third.heard]
        #expect(together == alone)
        #expect(try await beside.heard.samples.isEmpty)
        let other = try request(engine, .interleaved, steps: 37, temperature: 1, seed: 6)
        #expect(try await hear(other, engine).heard.items != alone[1].items)
        await engine.unload()
    }

    @Test("the next turn has the model's own speech step by step, but only the text of foreign audio")
    func history() async throws {
        let engine = try open(options())
        let question = [Message(.user, "Hello")]
        let (heard, answer) = try await hear(request(engine, .interleaved, steps: 30, question), engine)
        let sound = try #require(answer.sound)
        let said = Message(.assistant, [.text(answer.result.text), .sound(sound)])
        let model = try engine.model()
        func prompt(_ answer: Message) throws -> Prompt {
            try model.request(ChatRequest(question + [answer, Message(.user, "Again")], AnswerOptions())).prompt
        }
        let known = try prompt(said)
        #expect(known.tokens.count { $0 == Prompt.noToken } == heard.items.count)
        // The rows are those that were processed during generation.
        let media = try #require(answer.result.spoken).media(of: model.weights, try #require(model.speechOutput).voice)
        let rows = try media.rows()
        for (item, row) in zip(heard.items, rows) {
            guard case .token(let token) = item else { continue }
            #expect(try model.weights.embeddingRow(of: token) == row)
        }
        var strange = sound.bytes
        strange[strange.count - 1] ^= 1
        let unknown = try prompt(Message(.assistant, [.text(answer.result.text), .sound(Sound(strange))]))
        #expect(unknown == (try prompt(Message(.assistant, answer.result.text))))
        let next = try await hear(
            request(engine, .interleaved, steps: 8, question + [said, Message(.user, "Again")]), engine)
        #expect(next.heard.items.count == 8)
        await engine.unload()
    }

    @Test("answers of other steps with the same samples are kept apart")
    func sameSamples() async throws {
        let engine = try open(options())
        let question = [Message(.user, "Hello")]
        // Six tokens and twelve frames; further steps are text.
        var heard: [(heard: Heard, answer: Answer)] = []
        for steps in [18, 20, 18] {
            heard.append(try await hear(request(engine, .interleaved, steps: steps, question), engine))
        }
        #expect(heard[0].heard.samples == heard[1].heard.samples && !heard[0].heard.samples.isEmpty)
        let sounds = try heard.map { try #require($0.answer.sound) }
        #expect(sounds[0] != sounds[1] && sounds[0] == sounds[2])
        for (sound, heard) in zip(sounds, heard) {
            let messages = question + [Message(.assistant, [.sound(sound)]), Message(.user, "Again")]
            let prompt = try engine.model().request(ChatRequest(messages, AnswerOptions())).prompt
            #expect(prompt.tokens.count { $0 == Prompt.noToken } == heard.heard.items.count)
        }
        await engine.unload()
    }

    @Test("text and audio are interleaved if the instructions request it")
    func order() throws {
        let engine = try open(options())
        func order(_ system: String?) throws -> SpeechOrder? {
            let messages = [system.map { Message(.system, $0) }, Message(.user, "x")].compactMap(\.self)
            return try engine.model().request(ChatRequest(messages, AnswerOptions())).speech?.order
        }
        #expect(try order("Respond with interleaved text and audio.") == .interleaved)
        #expect(try order("Perform TTS. Use the US male voice.") == .sequential)
        #expect(try order(nil) == .sequential)
    }

    @Test("without a vocoder, a model writes text and cannot start speech")
    func voiceless() async throws {
        var options = options()
        (options.vocoderPath, options.audioTokenizerPath) = (nil, nil)
        let engine = try open(options)
        let model = try engine.model()
        let marks = try #require(SpeechMarks(model.tokenizer))
        let request = try model.request(ChatRequest([Message(.user, "x")], AnswerOptions()))
        #expect(request.speech == nil && request.sampling.logitBias[marks.start] == -.infinity)
        #expect(request.stop.tokens.contains(marks.textEnd))
        var wanted = AnswerOptions()
        wanted.speech = .wanted
        #expect {
            _ = try model.request(ChatRequest([Message(.user, "x")], wanted))
        } throws: { "\($0)".contains("speech was requested, but the model has no vocoder") }
    }

    @Test("invalid vocoder and tokenizer files are refused by name")
    func refused() throws {
        func message(_ change: (inout ModelOptions) -> Void) -> String {
            var options = options()
            change(&options)
            do { _ = try open(options) } catch { return "\(error)" }
            return ""
        }
        #expect(message { $0.audioTokenizerPath = nil }.contains("give the audio tokenizer"))
        #expect(message { $0.vocoderPath = nil }.contains("without a vocoder"))
        #expect(message { $0.vocoderPath = $0.path }.contains("the file is not a vocoder"))
        #expect(message { $0.audioTokenizerPath = $0.path }.contains("rows of 1282 values, but this one's have 64"))
        #expect(message { $0.path = Fixture(name: "lfm2-tied-f32").path }.contains("belongs to another model"))
        #expect(message { $0.vocoderPath = "/nowhere/v.gguf" }.contains("/nowhere/v.gguf"))
    }

    @Test("an adapter that changes token embeddings cannot be combined with speech")
    func adapterOfEmbedding() throws {
        let folder = try TemporaryFolder()
        var options = options()
        let path = folder.path("embedding.gguf")
        let model = try GGUFFile(path: options.path)
        let dimensions = try #require(model.tensor(named: "token_embd.weight")).dimensions
        let float = try #require(model.tensor(named: "token_embd_norm.weight")).type
        var writer = GGUFWriter()
        writer.set("general.type", .string("adapter"))
        writer.set("general.architecture", .string("lfm2"))
        writer.set("adapter.type", .string("lora"))
        try writer.addTensor("token_embd.weight.lora_a", type: float, dimensions: [1, dimensions[1]])
        try writer.addTensor("token_embd.weight.lora_b", type: float, dimensions: [1, dimensions[0]])
        try writer.write(to: path) { output in
            for count in dimensions.reversed() { try output.append([Float](repeating: 0, count: count)) }
        }
        options.adapters = [AdapterOptions(path: path)]
        #expect {
            try open(options)
        } throws: { "\($0)".contains("'token_embd.weight.lora_a' would change the token embedding") }
        (options.vocoderPath, options.audioTokenizerPath) = (nil, nil)
        _ = try open(options)
    }
}
