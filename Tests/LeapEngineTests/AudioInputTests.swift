import Foundation
import LeapAudio
import LeapGGUF
import LeapJSON
import LeapModels
import LeapOps
import LeapTokenizer
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapEngine
@testable import LeapGeneration

/// A model trained to name the pitch and number of beeps, from the bytes of a file to the answer.
@Suite("Audio input")
struct AudioInputTests {
    static let folder = Fixture.folder.appending(path: "audio")

    /// A conversation with the reference implementation's answer and prompt tokens.
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let sounds: [String]
        let system: String?
        let question: String
        let answer: String
        /// The prompt, with -1 at the positions of media rows.
        let tokens: [Token]
        /// After the prompt; for some cases.
        let logits: AudioFixtureArray?

        var testDescription: String { "\(sounds): \(question)" }
    }

    private static let file = Result { try ProjectorAnswers<Case>(in: folder) }

    static let cases = (try? file.get().cases) ?? []

    private func options() throws -> ModelOptions { try Self.file.get().options(in: Self.folder) }

    private func open(_ options: ModelOptions) throws -> Engine { try Engine(options, compute: Compute()) }

    private func sound(_ name: String) throws -> Sound {
        Sound(try Data(contentsOf: Self.folder.appending(path: "sounds/\(name)")))
    }

    private func messages(_ example: Case) throws -> [Message] {
        let parts = try example.sounds.map { Message.Part.sound(try sound($0)) }
        let text = example.question.isEmpty ? [] : [Message.Part.text(example.question)]
        return [example.system.map { Message(.system, $0) }, Message(.user, parts + text)].compactMap(\.self)
    }

    private func answer(_ messages: [Message], _ engine: Engine) async throws -> (text: String, cached: Int) {
        let text = Mutex("")
        let request = try engine.model().request(greedy(messages))
        let answer = try await engine.answer(request, cancellation: CancellationFlag()) { event in
            if case .text(let more) = event { text.withLock { $0 += more } }
        }
        return (text.withLock(\.self), answer.result.statistics.cachedPromptTokens)
    }

    @Test("the reference file has cases")
    func hasCases() throws { #expect(try Self.file.get().cases.count > 8) }

    @Test("prompts and answers match the reference", arguments: cases)
    func answers(example: Case) async throws {
        let engine = try open(options())
        let messages = try messages(example)
        #expect(try engine.model().request(greedy(messages)).prompt.tokens == example.tokens)
        #expect(try await answer(messages, engine).text == example.answer)
        await engine.unload()
    }

    @Test("logits after audio match the reference", arguments: cases.filter { $0.logits != nil })
    func logits(example: Case) async throws {
        let engine = try open(options())
        let model = try engine.model()
        let prompt = try model.request(greedy(try messages(example))).prompt
        let found = try model.weights.logits(after: prompt, chunk: 512, Compute())
        let floats = try FixtureReference.floats(in: Self.folder.appending(path: "audio-answers.f32.bin"))
        let error = relativeError([found], try #require(example.logits).values(of: floats))
        #expect(error <= 0.03, "\(error)")
        await engine.unload()
    }

    @Test("a second question about the same audio reuses its cached state")
    func secondQuestion() async throws {
        let engine = try open(options())
        let sounds = try (0..<14).map { _ in Message.Part.sound(try sound("two-high.wav")) }
        _ = try await answer([Message(.user, sounds + [.text("How many beeps?")])], engine)
        let (_, cached) = try await answer([Message(.user, sounds + [.text("How high are they?")])], engine)
        #expect(cached > 180)
        await engine.unload()
    }

    @Test(
        "a placeholder character in text is not replaced by audio, whether messages are trusted or not",
        arguments: [false, true])
    func placeholderInText(trusts: Bool) async throws {
        var options = try options()
        options.trustsControlTokens = trusts
        let engine = try open(options)
        let mark = String(decoding: [0xEF, 0xB7, 0x92], as: UTF8.self)
        let request = try engine.model().request(
            greedy([Message(.user, [.text("a\(mark)b"), .sound(try sound("one-low.wav")), .text(mark)])]))
        let rows = request.prompt.tokens.filter { $0 == Prompt.noToken }.count
        #expect(rows == 11)
        let texts = request.prompt.tokens.split(separator: Prompt.noToken).map { part in
            part.map { (try? engine.model().tokenizer.decode([$0])) ?? "" }
        }
        #expect(texts.count == 2)
        let without = try engine.model().request(greedy([Message(.user, "a\(mark)b\(mark)")]))
        #expect(!without.prompt.tokens.contains(Prompt.noToken))
        await engine.unload()
    }

    @Test(
        "invalid audio is refused with its number and the reason",
        arguments: [
            (Data(), "audio input 2: the recording cannot be used: it ends at byte 0"),
            (Data("RIFFxxxxAVI ".utf8), "does not start with a WAV header"),
            (Recording(samples: [0, 1], sampleRate: 16_000).wav(), "lasts 0.0 seconds"),
            (
                Recording(samples: [Float](repeating: 0, count: 4_000), sampleRate: 16_000, channelCount: 2).wav(),
                "has 2 channels"
            ),
            (Recording(samples: [Float](repeating: .nan, count: 4_000), sampleRate: 16_000).wav(), "sample 0 is nan"),
            (
                Recording(samples: [Float](repeating: 3.4e38, count: 8_000), sampleRate: 44_100).wav(),
                "sample 0 is 3.4e+38, but must be a number between"
            ),
            (
                Recording(samples: [Float](repeating: 0, count: 4_000), sampleRate: 1_000).wav(),
                "sample rate is 1000 Hz"
            ),
        ])
    func refused(bytes: Data, reason: String) async throws {
        let engine = try open(options())
        let message = Message(.user, [.sound(try sound("one-low.wav")), .sound(Sound(bytes)), .text("?")])
        #expect {
            _ = try engine.model().request(greedy([message]))
        } throws: {
            "\($0)".contains(reason) && "\($0)".contains("audio input 2")
        }
        await engine.unload()
    }

    @Test("a model without an audio encoder refuses audio, and an audio model may refuse images")
    func otherModalities() async throws {
        var options = try options()
        let engine = try open(options)
        #expect(try engine.model().vision == nil && engine.model().audioInput != nil)
        let picture = Message(.user, [.picture(Picture(Data([1]))), .text("?")])
        #expect {
            _ = try engine.model().request(greedy([picture]))
        } throws: {
            if case EngineError.seesNoPictures = $0 { true } else { false }
        }
        await engine.unload()
        options.projectorPath = nil
        let deaf = try open(options)
        #expect {
            _ = try deaf.model().request(greedy([Message(.user, [.sound(try sound("one-low.wav"))])]))
        } throws: {
            if case EngineError.hearsNothing = $0 { true } else { false }
        }
        await deaf.unload()
    }

    @Test("a projector of another width is refused")
    func otherModel() throws {
        var options = try options()
        options.projectorPath = Self.folder.appending(path: "audio-f32.gguf").path
        #expect {
            _ = try open(options)
        } throws: {
            if case EngineError.projectorOfAnotherModel(42, 64) = $0 { true } else { false }
        }
    }

    @Test("a prompt with audio that exceeds the context is refused before the audio is encoded")
    func tooLong() async throws {
        var options = try options()
        options.contextSize = 64
        let engine = try open(options)
        let long = Sound(Recording(samples: [Float](repeating: 0, count: 16_000 * 30), sampleRate: 16_000).wav(.int16))
        let model = try engine.model()
        func media(_ sound: Sound) throws -> PromptMedia {
            try #require(try model.request(greedy([Message(.user, [.sound(sound)])])).prompt.media.first).media
        }
        #expect {
            _ = try model.fittingRequest(greedy([Message(.user, [.sound(long)])]))
        } throws: {
            if case GenerationError.promptTooLong(let tokens, 64) = $0 { tokens > 375 } else { false }
        }
        #expect(try model.audioInput?.knownRows(media(long).digest) == nil)
        // Once encoded, the rows are known.
        let short = try media(sound("one-low.wav"))
        #expect(try short.rows() == model.audioInput?.knownRows(short.digest))
        await engine.unload()
    }

    @Test("a text after audio that exceeds the context is reported with the whole prompt and the whole context")
    func tooLongText() async throws {
        let engine = try open(options())
        let sound = Message.Part.sound(try sound("one-low.wav"))
        // The first is tokenised, the second has too many bytes for that.
        for text in [String(repeating: "so what? ", count: 1_000), String(repeating: "a", count: 400_000)] {
            do {
                let chat = greedy([Message(.user, [.text("Before"), sound, .text(text)])])
                _ = try engine.model().request(chat, limit: 4096)
                Issue.record("the prompt is not too long")
            } catch GenerationError.promptTooLong(let tokens, let limit) {
                #expect(tokens >= 4096 && limit == 4096)
            } catch GenerationError.promptFarTooLong(let bytes, let tokens, let limit) {
                #expect(bytes > text.utf8.count && tokens >= 4096 && limit == 4096)
            }
        }
        await engine.unload()
    }

    @Test("a message with audio survives a JSON round trip")
    func json() throws {
        let message = Message(.user, [.text("a"), .sound(try sound("one-low.wav")), .text("b")])
        #expect(try Message(json: message.json) == message)
        #expect(throws: EngineError.self) {
            try Message(json: ["role": "user", "content": [["type": "input_audio", "input_audio": ["data": "!"]]]])
        }
    }
}
