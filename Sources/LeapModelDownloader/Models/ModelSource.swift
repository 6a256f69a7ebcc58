public import Foundation
import LeapHub

/// A model that a program names file by file.
///
/// Each path is an absolute path, a `file://` URL, or an `http(s)://` URL, which is downloaded and kept. Name and
/// quantisation only say where downloads are kept.
public struct ModelSource: Hashable, Sendable {
    /// The language model.
    public let modelPath: String
    /// The projector for pictures or sound.
    public let mmprojPath: String?
    /// The decoder for sound.
    public let audioDecoderPath: String?
    /// The tokenizer for sound.
    public let audioTokenizerPath: String?
    /// The name that downloads are kept under.
    public let modelName: String
    /// The quantisation that downloads are kept under.
    public let quantizationId: String

    /// A model of these files.
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

    /// A model and the companions that lie beside it: `mmproj-…`, `vocoder-…` or other names of audio decoders,
    /// `tokenizer-…`.
    ///
    /// - Throws: ``ModelDownloadError`` for a folder that cannot be read.
    public init(detectingCompanionsOf model: URL, modelName: String, quantizationId: String) throws {
        let companions = try ModelDownloadError.mapping { try CompanionFiles.beside(model) }
        self.init(
            modelPath: model.path, mmprojPath: companions[.multimodalProjector]?.path,
            audioDecoderPath: companions[.audioDecoder]?.path, audioTokenizerPath: companions[.audioTokenizer]?.path,
            modelName: modelName, quantizationId: quantizationId)
    }

    /// The paths of all files.
    public var downloads: [String] { [modelPath, mmprojPath, audioDecoderPath, audioTokenizerPath].compactMap(\.self) }
}

extension ModelSource {
    /// The files by what they are for.
    var files: [ModelFileRole: String] {
        var files: [ModelFileRole: String] = [.model: modelPath]
        files[.multimodalProjector] = mmprojPath
        files[.audioDecoder] = audioDecoderPath
        files[.audioTokenizer] = audioTokenizerPath
        return files
    }
}
