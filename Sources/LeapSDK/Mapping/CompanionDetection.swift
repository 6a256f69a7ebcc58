import Foundation
import LeapEngine
import LeapHub

extension ModelOptions {
    /// Looks beside the model for a projector and for the files of a voice, where the options name none. What turns out to
    /// belong to another model is left out.
    mutating func detectCompanions() {
        if projectorPath == nil {
            projectorPath = CompanionFiles.projector(besideFile: path)
            requiresProjector = false
        }
        let beside = (try? CompanionFiles.beside(URL(filePath: path))) ?? [:]
        if vocoderPath == nil, let vocoder = beside[.audioDecoder] {
            vocoderPath = vocoder.path
            audioTokenizerPath = audioTokenizerPath ?? beside[.audioTokenizer]?.path
            requiresVoice = false
        }
    }
}
