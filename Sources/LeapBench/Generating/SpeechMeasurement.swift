import Foundation
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import LeapToolSupport

/// The time that a model takes to speak, with text and sound interleaved.
struct SpeechMeasurement {
    /// For every repetition, the real-time factor: computing time per second of sound, from the first sound to the
    /// last.
    private(set) var realTimeFactors: [Double] = []
    /// For every repetition, the seconds from the end of the prompt to the first sound.
    private(set) var firstSounds: [Double] = []
    /// For every repetition, the seconds of the longest gap between two sounds.
    private(set) var longestGaps: [Double] = []
    /// The frames of one answer; all answers are equal.
    private(set) var frames = 0
    private(set) var tokens = 0
    /// The seconds that a frame's codes take, and those of its sound, measured separately.
    let parts: (codes: Double, sound: Double)

    /// - Parameter seconds: The maximum length of the speech.
    init(
        _ model: LanguageModel, _ voice: Voice, _ compute: Compute, seconds: Double, repetitions: Int, warmsUp: Bool
    ) throws {
        let tokenizer = try Tokenizer(metadata: model.file.metadata)
        guard let marks = SpeechMarks(tokenizer) else {
            throw CommandError("\(model.file.path): its vocabulary has no speech tokens")
        }
        let generator = try TokenGenerator(model: model, tokenizer: tokenizer, compute: compute)
        parts = try Self.parts(of: voice, width: model.configuration.embeddingLength, compute)
        let steps = Int(
            seconds * Double(SpeechDetokenizer.sampleRate) / Double(SpeechDetokenizer.samplesPerFrame) * 1.5)
        var request = GenerationRequest(
            prompt: Prompt((0..<Self.promptLength).map { Token(truncatingIfNeeded: ($0 * 997 + 500) % 60_000) }),
            stop: StopCondition(tokens: [], maxTokens: max(1, steps)), routing: .raw)
        request.speech = SpeechRequest(voice, marks, order: .interleaved, temperature: 1, topK: 4)
        for repetition in (warmsUp ? -1 : 0)..<repetitions {
            var (isRead, sounds): (ContinuousClock.Instant?, [(ContinuousClock.Instant, Int)]) = (nil, [])
            let result = try generator.generate(request) { event in
                switch event {
                case .promptRead(let tokens, let all) where tokens == all: isRead = .now
                case .sound(let samples): sounds.append((.now, samples.count))
                default: break
                }
            }
            guard let isRead, let first = sounds.first?.0, let last = sounds.last?.0, repetition >= 0 else { continue }
            let samples = sounds.dropFirst().reduce(0) { $0 + $1.1 }
            let sounding = Double(samples) / Double(SpeechDetokenizer.sampleRate)
            realTimeFactors.append((last - first) / .seconds(1) / max(sounding, .leastNonzeroMagnitude))
            firstSounds.append((first - isRead) / .seconds(1))
            longestGaps.append(zip(sounds, sounds.dropFirst()).map { ($1.0 - $0.0) / .seconds(1) }.max() ?? 0)
            (frames, tokens) = (result.spoken?.frames.count ?? 0, result.tokens.count)
        }
        guard !realTimeFactors.isEmpty else { throw CommandError("\(model.file.path): no audio was generated") }
    }

    private static let promptLength = 64
    private static let partRepetitions = 50

    /// The time per frame of both parts of a voice.
    private static func parts(
        of voice: Voice, width: Int, _ compute: Compute
    ) throws -> (codes: Double, sound: Double) {
        let depthformer = DepthformerRun(voice.depthformer, compute)
        let row = (0..<width).map { Float($0 * 7919 % 255) / 127.5 - 1 }
        let stream = try voice.detokenizer.begin(compute)
        var codes: [Double] = []
        var sound: [Double] = []
        for index in 0..<partRepetitions {
            codes.append(try timed { try depthformer.frame(after: row) { _, logits in Int32(logits.count / 2) } }.1)
            let frame = try CodeFrame(
                (0..<Int32(VocoderConfiguration.books)).map { ($0 * 131 + Int32(index) * 17) % 2048 })
            sound.append(try timed { try stream.add([frame]) }.1)
        }
        return (Statistics(codes).median, Statistics(sound).median)
    }
}

/// A table of speech speeds.
struct SpeechTable {
    private var table = TextTable([
        .left("model", 24), .right("threads", 7), .right("frames", 6), .right("tokens", 6), .right("RTF", 6),
        .right("first ms", 8), .right("gap ms", 7), .right("codes ms", 8), .right("sound ms", 8),
    ])

    /// Adds a row of medians.
    mutating func add(_ model: String, threads: Int, _ measurement: SpeechMeasurement) {
        let seconds = [
            Statistics(measurement.firstSounds).median, Statistics(measurement.longestGaps).median,
            measurement.parts.codes, measurement.parts.sound,
        ]
        table.add(
            [
                model, "\(threads)", "\(measurement.frames)", "\(measurement.tokens)",
                String(format: "%.3f", Statistics(measurement.realTimeFactors).median),
            ] + seconds.map { String(format: "%.1f", 1000 * $0) })
    }

    var text: String { table.text }
}
