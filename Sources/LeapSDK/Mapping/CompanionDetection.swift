import Foundation
import LeapEngine
import LeapHub

extension ModelOptions {
    /// Looks in the model's folder for a projector and for the files of a voice, where the options name none. A file found
    /// this way that turns out to belong to another model is ignored when the model is loaded.
    mutating func detectCompanions() {
        let beside = (try? CompanionFiles.beside(URL(filePath: path))) ?? [:]
        if projectorPath == nil {
            projectorPath = beside[.multimodalProjector]?.path
            requiresProjector = false
        }
        if vocoderPath == nil, let vocoder = beside[.audioDecoder] {
            vocoderPath = vocoder.path
            audioTokenizerPath = audioTokenizerPath ?? beside[.audioTokenizer]?.path
            requiresVoice = false
        }
    }
}
