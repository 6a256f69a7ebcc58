import ArgumentParser
import Foundation
import LeapEngine
import LeapGeneration
import LeapHub
import LeapModels
import LeapToolSupport

/// The files with which a model can speak.
struct VoiceFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The vocoder, which generates audio codes (default: vocoder-….gguf beside the model).", valueName: "file"
        ), completion: .file())
    private var vocoder: String?

    @Option(
        help: ArgumentHelp(
            "The file that turns codes into sound (default: tokenizer-….gguf beside the model, or the vocoder itself).",
            valueName: "file"), completion: .file())
    private var audioTokenizer: String?

    /// Whether a file is named.
    var isGiven: Bool { vocoder != nil || audioTokenizer != nil }

    /// Adds the voice next to a model, if there is one.
    static func addFilesBeside(_ options: inout ModelOptions) {
        let beside = (try? CompanionFiles.beside(URL(filePath: options.path))) ?? [:]
        options.takeFound(
            projector: nil, vocoder: beside[.audioDecoder]?.path, audioTokenizer: beside[.audioTokenizer]?.path)
    }

    /// Adds the files to the options of a load.
    func apply(to options: inout ModelOptions) {
        let beside = (try? CompanionFiles.beside(URL(filePath: options.path))) ?? [:]
        options.vocoderPath = vocoder ?? beside[.audioDecoder]?.path
        options.audioTokenizerPath = audioTokenizer ?? beside[.audioTokenizer]?.path
    }
}
