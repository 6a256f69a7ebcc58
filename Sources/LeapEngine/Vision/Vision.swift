import Dispatch
import LeapBlocks
import LeapDigest
public import LeapGGUF
import LeapGeneration
import LeapImages
import LeapModels
import LeapOps
import LeapTokenizer
import Logging

/// What lets a language model see: an image encoder, and how its rows get into prompts.
///
/// To build a prompt, only a picture's size is needed. The picture is decoded and encoded only when a pass is about to read
/// its rows, and not at all if the prefix cache has them.
public final class Vision: Sendable {
    private let encoder: VisionEncoder
    private let projector: ProjectorFile
    private let tiling: ImageTiling
    private let normalization: PatchNormalization
    let tokens: VisionTokens
    private let compute: Compute
    private let known = EncodedRows()
    /// Decodes one picture at a time, each of which may take 150 MB.
    private let decoding = DispatchQueue(label: "leap.pictures", qos: .userInitiated)

    /// The range for the minimum and the maximum number of a picture's tokens.
    static let tokenLimits = 1...1024
    /// What models of this kind were trained with.
    private static let usualTokens = 64...256
    private static let mostTiles = 10

    private init(
        _ encoder: VisionEncoder, _ projector: ProjectorFile, _ tiling: ImageTiling,
        _ normalization: PatchNormalization, _ tokens: VisionTokens, _ compute: Compute
    ) {
        self.encoder = encoder
        self.projector = projector
        self.tiling = tiling
        self.normalization = normalization
        self.tokens = tokens
        self.compute = compute
    }

    /// The projector's file.
    public var file: GGUFFile { encoder.file }

    /// - Throws: ``EngineError`` if the file contains no image encoder, or belongs to another model.
    static func open(
        _ projector: ProjectorFile, _ options: ModelOptions, for model: LanguageModel, _ tokenizer: Tokenizer,
        _ compute: Compute
    ) throws(EngineError) -> Vision {
        let (limits, path) = (try tokenLimits(options), projector.file.path)
        let encoder: VisionEncoder
        do { encoder = try VisionEncoder(projector.file) } catch { throw .projector(path: path, error) }
        let configuration = encoder.configuration
        try Modalities.check(configuration.outputLength, model.configuration.embeddingLength)
        let tokens = try VisionTokens(tokenizer, side: mostTiles)
        if !tokens.knowTiles {
            Logger(label: "leap.model").warning(
                "'\(path)': the model has no tile tokens, so large images are downscaled")
        }
        let tiling = ImageTiling(
            patch: configuration.patchSize, unshuffle: configuration.scaleFactor, tokens: limits,
            tiles: 2...mostTiles, splits: tokens.knowTiles,
            fit: options.letterboxesPictures ? .letterboxed : .stretched)
        guard
            let normalization = PatchNormalization(
                mean: configuration.imageMean, deviation: configuration.imageDeviation)
        else {
            throw .malformed(
                field: "clip.vision.image_std", expected: "three non-zero numbers", found: "other values")
        }
        return Vision(encoder, projector, tiling, normalization, tokens, compute)
    }

    private static func tokenLimits(_ options: ModelOptions) throws(EngineError) -> ClosedRange<Int> {
        let maximum = options.imageMaxTokens ?? max(usualTokens.upperBound, options.imageMinTokens ?? 0)
        let minimum = options.imageMinTokens ?? min(usualTokens.lowerBound, maximum)
        guard tokenLimits.contains(minimum), tokenLimits.contains(maximum), minimum <= maximum else {
            throw .pictureTokens(minimum: minimum, maximum: maximum, allowed: tokenLimits)
        }
        return minimum...maximum
    }
}

// MARK: - Prompts

extension Vision {
    /// Adds tokens, with pictures in the places that they have.
    ///
    /// - Parameters:
    ///   - pictures: At least as many as there are placeholders.
    ///   - number: The first picture's, for errors.
    /// - Returns: Pictures that were added.
    /// - Throws: ``EngineError/picture(number:_:)``.
    func append(
        _ tokens: [Token], showing pictures: ArraySlice<Picture>, from number: Int, to prompt: inout Prompt
    ) throws -> Int {
        let texts = self.tokens.split(tokens)
        prompt.append(texts.first ?? [])
        for (index, (picture, text)) in zip(pictures, texts.dropFirst()).enumerated() {
            try append(picture, number: number + index, to: &prompt)
            prompt.append(text)
        }
        return texts.count - 1
    }

    /// Adds the tokens and rows that replace a picture.
    ///
    /// - Throws: ``EngineError/picture(number:_:)``.
    @discardableResult
    func append(_ picture: Picture, number: Int, to prompt: inout Prompt) throws -> ImageLayout {
        let layout: ImageLayout
        do throws(ImageError) {
            let header = try ImageDecoder.header(of: picture.bytes)
            if let obstacle = ImageDecoder.obstacle(to: header.format) { throw obstacle }
            layout = tiling.layout(of: header.size)
        } catch {
            throw EngineError.picture(number: number, error)
        }
        tokens.append(
            try media(of: picture, number: number, layout), columns: layout.grid?.columns,
            hasThumbnail: layout.hasThumbnail, to: &prompt)
        return layout
    }

    /// The tiles of a picture, none of them encoded.
    ///
    /// - Parameter number: The picture's, for errors.
    func media(of picture: Picture, number: Int, _ layout: ImageLayout) throws -> [PromptMedia] {
        let identity = try projector.digest()
        let tiles = PictureTiles(picture, number: number, tiling, on: decoding)
        return layout.pictures.indices.map { index in
            let digest = digest(of: picture, index, identity)
            return PromptMedia(digest: digest, rowCount: layout.tokens(ofPicture: index)) { [self] digest in
                TileEncoding(self, tiles, index, digest)
            }
        }
    }

    /// Identifies a tile's rows: a digest of the file, of how it was cut, and of the encoder.
    private func digest(of picture: Picture, _ index: Int, _ identity: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: picture.digest)
        hash.update(
            data: Array("\(index) \(tiling.tokens) \(tiling.splits) \(tiling.fit) \(compute.arithmetic)\n".utf8))
        hash.update(data: identity)
        return hash.finalize()
    }
}

// MARK: - Rows

extension Vision {
    /// Rows that were made lately.
    func knownRows(_ digest: [UInt8]) -> [[Float]]? { known.rows(digest) }

    /// Keeps rows for the next time.
    func store(_ rows: [[Float]], _ digest: [UInt8]) { known.store(rows, digest) }

    /// Begins to make the rows of a tile.
    func begin(_ tile: RGBImage) throws(ModelError) -> PictureEncoding {
        let patch = encoder.configuration.patchSize
        return try encoder.begin(
            normalization.patches(of: tile, side: patch),
            of: PatchGrid(width: tile.width / patch, height: tile.height / patch), compute)
    }
}
