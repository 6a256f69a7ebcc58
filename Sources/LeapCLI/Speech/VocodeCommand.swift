import ArgumentParser
import Foundation
import LeapAudio
import LeapGGUF
import LeapHub
import LeapJSON
import LeapModels
import LeapToolSupport

/// `leap vocode`: converts codes to sound, for comparison with other implementations.
struct VocodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vocode", abstract: "Converts audio codes to a WAV file of 32-bit floats.",
        discussion: "The codes are a JSON array of frames, each an array of eight codes below 2048.")

    @Option(help: ArgumentHelp("The vocoder file, which has the codebooks.", valueName: "file"), completion: .file())
    var vocoder: String

    @Option(
        help: ArgumentHelp(
            "The file that turns codes into sound (default: tokenizer-….gguf beside the vocoder, or the vocoder itself).",
            valueName: "file"), completion: .file())
    var audioTokenizer: String?

    @Option(help: ArgumentHelp("The codes; '-' reads standard input.", valueName: "file"), completion: .file())
    var codes: String

    @Option(name: [.customShort("o"), .long], help: "The WAV file to write.", completion: .file())
    var output: String

    @OptionGroup var computeFlags: ComputeFlags

    func run() throws {
        try OutputPlace.check(output, inputs: [vocoder, codes] + [audioTokenizer].compactMap(\.self))
        let frames = try Self.frames(try InputFile.text(codes), name: codes)
        let voice = try VoiceFile.detokenizer(vocoder: vocoder, tokenizer: audioTokenizer)
        let stream = try voice.begin(computeFlags.makeCompute())
        let samples = try stream.add(frames) + stream.finish()
        let recording = Recording(samples: samples, sampleRate: SpeechDetokenizer.sampleRate)
        try OutputFile.write(recording.wav(.float32), to: output)
    }

    private static func frames(_ text: String, name: String) throws -> [CodeFrame] {
        let expected = "expected an array of frames, each an array of \(VocoderConfiguration.books) codes"
        guard let rows = try JSONValue(parsing: Data(text.utf8)).array else {
            throw CommandError("\(name): \(expected)")
        }
        let frames = try rows.enumerated().map { number, row in
            let codes = (row.array ?? []).compactMap { code in
                if case .integer(let code) = code { Int32(exactly: code) } else { nil }
            }
            guard let count = row.array?.count, codes.count == count else {
                throw CommandError("\(name): frame \(number): \(expected), found \(row.text().prefix(80))")
            }
            do { return try CodeFrame(codes) } catch { throw CommandError("\(name): frame \(number): \(error)") }
        }
        guard !frames.isEmpty else { throw CommandError("\(name): no frames") }
        return frames
    }
}

/// Opens the files of a voice.
enum VoiceFile {
    /// The decoder from codes to sound.
    static func detokenizer(vocoder: String, tokenizer: String?) throws -> SpeechDetokenizer {
        try naming(vocoder) {
            let file = try GGUFFile(path: vocoder)
            let tokenizer = tokenizer ?? CompanionFiles.tokenizer(besideFile: vocoder)
            return try SpeechDetokenizer(vocoder: file, tokenizer: try tokenizer.map { try GGUFFile(path: $0) })
        }
    }

    /// The generator of codes.
    static func depthformer(vocoder: String) throws -> Depthformer {
        try naming(vocoder) { try Depthformer(try GGUFFile(path: vocoder)) }
    }

    private static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as ModelError {
            throw CommandError("the vocoder '\(path)' cannot be used: \(error)")
        }
    }
}
