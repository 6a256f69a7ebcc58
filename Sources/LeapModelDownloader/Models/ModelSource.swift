public import Foundation
import LeapHub

/// A model whose files are specified individually.
///
/// Each path is an absolute path, a `file://` URL, or an `http(s)://` URL, which is downloaded and kept. Name and
/// quantisation only determine where downloads are stored.
public struct ModelSource: Hashable, Sendable {
    /// The path or URL of the language model.
    public let modelPath: String
    /// The path or URL of the projector for image or audio input, if any.
    public let mmprojPath: String?
    /// The path or URL of the audio decoder, if any.
    public let audioDecoderPath: String?
    /// The path or URL of the audio tokenizer, if any.
    public let audioTokenizerPath: String?
    /// The model name under which downloads are stored.
    public let modelName: String
    /// The quantisation under which downloads are stored.
    public let quantizationId: String

    /// Creates a model source from paths or URLs.
    public init(
        modelPath: String, mmprojPath: String? = nil, audioDecoderPath: String? = nil,
        audioTokenizerPath: String? = nil,
        modelName: String, quantizationId: String
    ) {
        self.modelPath = modelPath
        self.mmprojPath = mmprojPath
        self.audioDecoderPath = audioDecoderPath
        self.audioTokenizerPath = audioTokenizerPath
        self.modelName = modelName
        self.quantizationId = quantizationId
    }

    /// Creates a model source from a model file and the companion files next to it: `mmproj-…`, `vocoder-…` or other
    /// names of audio decoders, and `tokenizer-…`.
    ///
    /// - Throws: ``ModelDownloadError`` if the folder cannot be read.
    public init(detectingCompanionsOf model: URL, modelName: String, quantizationId: String) throws {
        let companions = try ModelDownloadError.mapping { try CompanionFiles.beside(model) }
        self.init(
            modelPath: model.path, mmprojPath: companions[.multimodalProjector]?.path,
            audioDecoderPath: companions[.audioDecoder]?.path, audioTokenizerPath: companions[.audioTokenizer]?.path,
            modelName: modelName, quantizationId: quantizationId)
    }

    /// The paths and URLs of all files.
    public var downloads: [String] { [modelPath, mmprojPath, audioDecoderPath, audioTokenizerPath].compactMap(\.self) }
}

extension ModelSource {
    /// The files by their role.
    var files: [ModelFileRole: String] {
        var files: [ModelFileRole: String] = [.model: modelPath]
        files[.multimodalProjector] = mmprojPath
        files[.audioDecoder] = audioDecoderPath
        files[.audioTokenizer] = audioTokenizerPath
        return files
    }
}
