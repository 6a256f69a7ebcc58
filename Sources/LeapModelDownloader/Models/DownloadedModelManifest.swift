public import Foundation
import LeapHub

/// A downloaded model: its manifest and the locations of its files.
public struct DownloadedModelManifest: Hashable, Sendable {
    /// The manifest, with file names as references.
    public let manifest: ModelManifest
    /// The file of the language model.
    public let localModelURL: URL
    /// The file of the projector for image or audio input, if any.
    public let localMultimodalProjectorURL: URL?
    /// The file of the audio decoder, if any.
    public let localAudioDecoderURL: URL?
    /// The file of the audio tokenizer, if any.
    public let localAudioTokenizerURL: URL?

    /// The chat template that the manifest recommends, if any.
    public var chatTemplate: String? { manifest.chatTemplate }
    /// The path of ``localModelURL``.
    public var localModelPath: String { localModelURL.path }
    /// The path of ``localMultimodalProjectorURL``.
    public var localMultimodalProjectorPath: String? { localMultimodalProjectorURL?.path }
    /// The path of ``localAudioDecoderURL``.
    public var localAudioDecoderPath: String? { localAudioDecoderURL?.path }
    /// The path of ``localAudioTokenizerURL``.
    public var localAudioTokenizerPath: String? { localAudioTokenizerURL?.path }
    /// Same as ``localModelURL``, in another spelling.
    public var localModelUrl: URL { localModelURL }
}

extension DownloadedModelManifest {
    init(_ model: StoredModel) {
        manifest = model.manifest
        localModelURL = model.url(of: .model) ?? model.folder
        localMultimodalProjectorURL = model.url(of: .multimodalProjector)
        localAudioDecoderURL = model.url(of: .audioDecoder)
        localAudioTokenizerURL = model.url(of: .audioTokenizer)
    }
}
