import Foundation
import LeapEngine
import LeapHub

extension ModelOptions {
    /// Looks in the model's folder for a projector and for the files for audio output, if the options name none. A file
    /// found this way that belongs to another model is ignored when the model is loaded.
    mutating func detectCompanions() {
        let beside = (try? CompanionFiles.beside(URL(filePath: path))) ?? [:]
        takeFound(
            projector: beside[.multimodalProjector]?.path, vocoder: beside[.audioDecoder]?.path,
            audioTokenizer: beside[.audioTokenizer]?.path)
    }
}
