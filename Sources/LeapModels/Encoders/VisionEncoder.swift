import LeapBlocks
public import LeapGGUF
public import LeapOps

/// A vision encoder with its projector: makes of a picture the rows that a language model reads in the places of tokens.
/// Immutable, and shared by all who look.
public final class VisionEncoder: Sendable {
    /// The hyper-parameters.
    public let configuration: VisionConfiguration
    /// The file that the weights lie in.
    public var file: GGUFFile { weights.file }

    /// Owns the memory that the tower's tensors point into.
    private let weights: Weights
    private let tower: SigLIP2
    private let projector: ImageProjector

    /// `general.architecture` of such files.
    public static let architecture = "clip"
    static let positionTable = "v.position_embd.weight"

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
        try checkNothingLost()
    }

    /// The rows of one picture, or of one tile of a larger one.
    ///
    /// - Parameters:
    ///   - patches: `[grid.height · grid.width, 3 · patchSize²]`, row by row of the picture; each patch normalised, all of
    ///     its red, then its green, then its blue, row by row.
    ///   - grid: The picture's size in patches.
    ///   - goesOn: Asked between the parts of every layer; `false` ends the work.
    /// - Returns: `[grid.height · grid.width / scaleFactor²]` rows of `outputLength`, row by row of the picture.
    /// - Throws: ``ModelError/cancelled`` where `goesOn` said so, ``ModelError/outOfMemory(purpose:bytes:)``, or
    ///   ``ModelError/file(_:)`` where pages of the file were lost.
    public func encode(
        _ patches: [Float], of grid: PatchGrid, _ compute: Compute, goesOn: () -> Bool = { true }
    ) throws(ModelError) -> [[Float]] {
        try validate(patches, grid)
        var attended = KeyValueCache(
            heads: configuration.headCount, headDimension: configuration.headDimension,
            types: KeyValueTypes(keys: .f32, values: .f32))
        guard attended.reserve(0..<grid.count) else {
            throw .outOfMemory(purpose: "keys and values", bytes: attended.byteCount(positions: grid.count))
        }
        return try compute.exclusively { () throws(ModelError) in
            let bytes = compute.counted(positions: grid.count) {
                _ = rows(patches, grid, attended, $0) { true }
            }
            guard compute.beginPass(of: .prompt, scratchBytes: bytes) else {
                throw .outOfMemory(purpose: "activations", bytes: bytes)
            }
            let encoded = rows(patches, grid, attended, compute, goesOn)
            try checkNothingLost()
            guard let encoded else { throw .cancelled }
            return (0..<encoded.count).map { Array(UnsafeBufferPointer(start: encoded[$0], count: encoded.width)) }
        }
    }

    /// Throws when what was read of the file may be zeros in the place of lost pages.
    private func checkNothingLost() throws(ModelError) {
        do { try file.checkNothingLost() } catch { throw .file(error) }
    }

    private func rows(
        _ patches: [Float], _ grid: PatchGrid, _ attended: KeyValueCache, _ compute: Compute, _ goesOn: () -> Bool
    ) -> Rows? {
        guard let x = tower.encode(patches, grid, attended, compute, goesOn) else { return nil }
        return projector(x, grid, compute)
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

    /// More would be no picture.
    static let largestSide = 1 << 12

    /// A size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Patches in all.
    public var count: Int { width * height }
}
