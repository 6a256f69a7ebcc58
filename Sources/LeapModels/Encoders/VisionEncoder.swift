import LeapBlocks
public import LeapGGUF
public import LeapOps

/// A vision encoder with its projector: turns an image into rows that a language model reads in place of tokens.
/// Immutable, and shared by all users.
public final class VisionEncoder: Sendable {
    /// The hyper-parameters.
    public let configuration: VisionConfiguration
    /// The file that contains the weights.
    public var file: GGUFFile { weights.file }

    /// Owns the memory that the tower's tensors point into.
    private let weights: Weights
    private let tower: SigLIP2
    private let projector: ImageProjector

    /// `general.architecture` of such files.
    public static let architecture = "clip"
    static let positionTable = "v.position_embd.weight"

    /// Whether a file declares such an encoder.
    public static func isDeclared(in file: GGUFFile) -> Bool {
        let parameters = HyperParameters(metadata: file.metadata, architecture: architecture)
        return (try? parameters.boolIfPresent("has_vision_encoder")) == true
    }

    /// Checks all hyper-parameters and binds all tensors.
    ///
    /// - Throws: ``ModelError`` for everything that would otherwise fail at the first picture.
    public init(_ file: GGUFFile) throws(ModelError) {
        let name = try reading { () throws(GGUFError) in try file.metadata.string("general.architecture") }
        guard name == Self.architecture else { throw .notAProjector(architecture: name) }
        weights = Weights(file: file, architecture: name)
        configuration = try VisionConfiguration(weights)
        tower = try SigLIP2(configuration, weights)
        projector = try ImageProjector(configuration, weights)
        do { try file.checkNothingLost() } catch { throw .file(error) }
    }

    /// The rows of one picture, or of one tile of a larger one.
    ///
    /// - Parameters:
    ///   - patches: `[grid.height · grid.width, 3 · patchSize²]`, row by row of the picture; each patch normalised, all of
    ///     its red, then its green, then its blue, row by row.
    ///   - grid: The picture's size in patches.
    ///   - shouldContinue: Asked between the parts of every layer; `false` ends the work.
    /// - Returns: `[grid.height · grid.width / scaleFactor²]` rows of `outputLength`, row by row of the picture.
    /// - Throws: ``ModelError/cancelled`` if `shouldContinue` returned `false`, ``ModelError/outOfMemory(purpose:bytes:)``, or
    ///   ``ModelError/file(_:)`` if pages of the file were lost.
    public func encode(
        _ patches: [Float], of grid: PatchGrid, _ compute: Compute, shouldContinue: () -> Bool = { true }
    ) throws(ModelError) -> [[Float]] {
        let encoding = try begin(patches, of: grid, compute)
        while true {
            if let rows = try encoding.advance(shouldContinue: shouldContinue) { return rows }
        }
    }

    /// Starts encoding, one layer at a time.
    ///
    /// - Parameter compute: Whose kernels and threads are used, in turns with other passes.
    /// - Throws: ``ModelError/wrongPatches(count:width:height:patchLength:scaleFactor:)``, or
    ///   ``ModelError/outOfMemory(purpose:bytes:)``.
    public func begin(
        _ patches: [Float], of grid: PatchGrid, _ compute: Compute
    ) throws(ModelError) -> PictureEncoding {
        try validate(patches, grid)
        return try PictureEncoding(tower, projector, file, patches, grid, compute, configuration)
    }

    private func validate(_ patches: [Float], _ grid: PatchGrid) throws(ModelError) {
        let scale = configuration.scaleFactor
        guard (1...PatchGrid.largestSide).contains(grid.width), (1...PatchGrid.largestSide).contains(grid.height),
            grid.width.isMultiple(of: scale), grid.height.isMultiple(of: scale),
            patches.count == grid.count * configuration.patchLength
        else {
            throw .wrongPatches(
                count: patches.count, width: grid.width, height: grid.height, patchLength: configuration.patchLength,
                scaleFactor: scale)
        }
    }
}

/// A picture's size in patches.
public struct PatchGrid: Sendable, Hashable {
    /// Patches in a row.
    public let width: Int
    /// Rows of patches.
    public let height: Int

    /// Larger sizes are not plausible images.
    static let largestSide = 1 << 12

    /// A size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Patches in all.
    public var count: Int { width * height }
}
