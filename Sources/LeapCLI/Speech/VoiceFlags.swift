import ArgumentParser
import Foundation
import LeapEngine
import LeapGeneration
import LeapHub
import LeapModels
import LeapToolSupport

/// What lets a model speak.
struct VoiceFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file that makes codes of sound (default: the file vocoder-….gguf beside the model).", valueName: "file"
        ), completion: .file())
    private var vocoder: String?

    @Option(
        help: ArgumentHelp(
            "The file that makes sound of codes (default: the file tokenizer-….gguf beside the model, or the vocoder itself).",
            valueName: "file"), completion: .file())
    private var audioTokenizer: String?

    /// Whether a file is named.
    var isGiven: Bool { vocoder != nil || audioTokenizer != nil }

    /// Adds the voice next to a model, if there is one.
    static func addFilesBeside(_ options: inout ModelOptions) {
        let beside = (try? CompanionFiles.beside(URL(filePath: options.path))) ?? [:]
        guard let vocoder = beside[.audioDecoder] else { return }
        options.vocoderPath = vocoder.path
        options.audioTokenizerPath = beside[.audioTokenizer]?.path
        options.requiresVoice = false
    }

    /// Adds the files to the options of a load.
    func apply(to options: inout ModelOptions) {
        let beside = (try? CompanionFiles.beside(URL(filePath: options.path))) ?? [:]
        options.vocoderPath = vocoder ?? beside[.audioDecoder]?.path
        options.audioTokenizerPath = audioTokenizer ?? beside[.audioTokenizer]?.path
    }
}
