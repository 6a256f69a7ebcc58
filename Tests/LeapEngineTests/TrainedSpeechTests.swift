import Foundation
import LeapAudio
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapEngine

/// A model trained to say what it reads or hears, in beeps: its steps and samples match the reference,
/// and it understands its own speech.
@Suite("Speech of a trained model")
struct TrainedSpeechTests {
    static let folder = Fixture.folder.appending(path: "audio")

    /// A token, or the codes of a frame.
    enum Step: Decodable, Sendable, Equatable {
        case token(Token)
        case frame([Int32])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let token = try? container.decode(Token.self) {
                self = .token(token)
            } else {
                self = .frame(try container.decode([Int32].self))
            }
        }

        init(_ item: SpokenAnswer.Item) {
            switch item {
            case .token(let token): self = .token(token)
            case .frame(let frame): self = .frame(frame.values)
            }
        }
    }

    /// A conversation with the reference implementation's answer.
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let system: String
        /// Sounds before the question.
        let sounds: [String]
        let question: String
        /// The index of the case that is the previous turn.
        let after: Int?
        let interleaved: Bool
        /// The text of the answer.
        let text: String
        /// The model's transcription of its own speech.
        let heard: String
        /// Hz.
        let pitch: Double
        let beeps: Int
        /// The prompt, with -1 at the positions of media rows.
        let tokens: [Token]
        /// The steps of the answer.
        let steps: [Step]
        /// Its samples; only for some cases.
        let samples: AudioFixtureArray?

        var testDescription: String { "\(sounds) \(question) \(heard)" }
    }

    private struct Cases: Decodable {
        let model: String
        let projector: String
        let vocoder: String
        let tokenizer: String
        let data: String
        let cases: [Case]
    }

    private static let file = Result {
        try JSONDecoder().decode(Cases.self, from: Data(contentsOf: folder.appending(path: "speaking-answers.json")))
    }

    static let cases = (try? file.get().cases) ?? []

    private func engine() throws -> Engine {
        let file = try Self.file.get()
        var options = ModelOptions(path: Self.folder.appending(path: file.model).path)
        options.projectorPath = Self.folder.appending(path: file.projector).path
        options.vocoderPath = Self.folder.appending(path: file.vocoder).path
        options.audioTokenizerPath = Self.folder.appending(path: file.tokenizer).path
        options.contextSize = 1024
        return try Engine(options, compute: Compute())
    }

    private func question(_ example: Case) throws -> Message {
        let sounds = try example.sounds.map {
            Message.Part.sound(Sound(try Data(contentsOf: Self.folder.appending(path: "sounds/\($0)"))))
        }
        return Message(.user, sounds + (example.question.isEmpty ? [] : [.text(example.question)]))
    }

    private struct Said {
        var prompt: [Token] = []
        var steps: [Step] = []
        var text = ""
        var samples: [Float] = []
        var sound: Sound?
        var ended = false

        var message: Message { Message(.assistant, [.text(text)] + [sound.map { .sound($0) }].compactMap(\.self)) }
    }

    private func answer(
        _ messages: [Message], _ engine: Engine, speech: SpeechOptions = SpeechOptions(temperature: 0), seed: UInt64 = 1
    ) async throws -> Said {
        var options = AnswerOptions()
        (options.sampling.temperature, options.maxTokens, options.seed) = (0, 64, seed)
        options.speechOptions = speech
        let request = try engine.model().request(ChatRequest(messages, options))
        let samples = Mutex<[Float]>([])
        let answer = try await engine.answer(request, cancellation: CancellationFlag()) { event in
            if case .sound(let more) = event { samples.withLock { $0 += more } }
        }
        return Said(
            prompt: request.prompt.tokens, steps: (answer.result.spoken?.items ?? []).map(Step.init),
            text: answer.result.text, samples: samples.withLock(\.self), sound: answer.sound,
            ended: answer.result.finishReason == .endOfGeneration)
    }

    private func transcription(of sound: Sound?, _ engine: Engine) async throws -> String {
        let played = Message(.user, [.sound(try #require(sound))])
        return try await answer([Message(.system, "Perform ASR."), played], engine).text
    }

    /// How often a tone starts, by its amplitude every ten milliseconds (Goertzel 1958).
    private func beeps(of pitch: Double, in samples: [Float]) -> Int {
        let (length, coefficient) = (240, 2 * cos(2 * .pi * pitch / 24_000))
        var (count, sounds) = (0, false)
        for start in stride(from: 0, through: samples.count - length, by: length) {
            var (last, beforeLast) = (0.0, 0.0)
            for sample in samples[start..<start + length] {
                (last, beforeLast) = (Double(sample) + coefficient * last - beforeLast, last)
            }
            let power = last * last + beforeLast * beforeLast - coefficient * last * beforeLast
            let amplitude = 2 * max(0, power).squareRoot() / Double(length)
            if amplitude > 0.1, !sounds { count += 1 }
            sounds = amplitude > (sounds ? 0.04 : 0.1)
        }
        return count
    }

    private static let pitches = Set(cases.map(\.pitch))

    @Test("the reference has cases of all pitches and numbers")
    func hasCases() throws {
        let cases = try Self.file.get().cases
        #expect(cases.count > 15 && Self.pitches.count == 3 && Set(cases.map(\.beeps)) == [1, 2, 3, 4])
        #expect(cases.contains(where: \.interleaved) && cases.contains { $0.samples != nil })
    }

    @Test("steps and samples match the reference, and the model transcribes its own speech", arguments: cases)
    func matchesReference(example: Case) async throws {
        let engine = try engine()
        var messages = [Message(.system, example.system)]
        if let before = example.after {
            messages.append(try question(Self.cases[before]))
            messages.append(try await answer(messages, engine).message)
        }
        messages.append(try question(example))
        let said = try await answer(messages, engine)
        #expect(said.prompt == example.tokens)
        #expect(said.steps == example.steps && said.text == example.text && said.ended)
        for pitch in Self.pitches {
            #expect(beeps(of: pitch, in: said.samples) == (pitch == example.pitch ? example.beeps : 0), "\(pitch) Hz")
        }
        #expect(try await transcription(of: said.sound, engine) == example.heard)
        if let place = example.samples {
            let data = try Data(contentsOf: Self.folder.appending(path: Self.file.get().data))
            let expected = place.values(of: data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) })
            let loudest = expected.map(abs).max() ?? 0
            let difference = zip(said.samples, expected).map { abs($0 - $1) }.max() ?? 1
            #expect(said.samples.count == expected.count && difference <= 3e-5 * loudest, "\(difference / loudest)")
        }
        await engine.unload()
    }

    @Test("randomly sampled codes are consistent within a frame, so the content stays the same")
    func sampledCodes() async throws {
        let engine = try engine()
        let example = try #require(Self.cases.first { $0.beeps == 3 && !$0.interleaved })
        let messages = [Message(.system, example.system), try question(example)]
        var answers: [[Step]] = []
        for seed in 1...6 {
            let said = try await answer(messages, engine, speech: SpeechOptions(), seed: UInt64(seed))
            #expect(beeps(of: example.pitch, in: said.samples) == example.beeps, "seed \(seed)")
            #expect(try await transcription(of: said.sound, engine) == example.heard, "seed \(seed)")
            answers.append(said.steps)
        }
        // The first codebook's code sets the loudness and is sampled. All others follow from it.
        let frames = answers.flatMap(\.self).compactMap { if case .frame(let codes) = $0 { codes } else { nil } }
        let others = Dictionary(grouping: Set(frames)) { [$0[0], $0[1], $0[2], $0[3]] }
        #expect(Set(answers.map { "\($0)" }).count > 1 && others.values.allSatisfy { $0.count == 1 })
        await engine.unload()
    }
}
