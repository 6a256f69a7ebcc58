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
        ))
    private var vocoder: String?

    @Option(
        help: ArgumentHelp(
            "The file that makes sound of codes (default: the file tokenizer-….gguf beside the model).",
            valueName: "file"))
    private var audioTokenizer: String?

    /// Adds the voice that lies beside a model, if both of its files do.
    static func addFilesBeside(_ options: inout ModelOptions) {
        let beside = (try? CompanionFiles.beside(URL(filePath: options.path))) ?? [:]
        guard let vocoder = beside[.audioDecoder], let tokenizer = beside[.audioTokenizer] else { return }
        (options.vocoderPath, options.audioTokenizerPath, options.requiresVoice) = (vocoder.path, tokenizer.path, false)
    }

    /// Adds the files to the options of a load.
    func apply(to options: inout ModelOptions) {
        let beside = (try? CompanionFiles.beside(URL(filePath: options.path))) ?? [:]
        options.vocoderPath = vocoder ?? beside[.audioDecoder]?.path
        options.audioTokenizerPath = audioTokenizer ?? beside[.audioTokenizer]?.path
    }
}
