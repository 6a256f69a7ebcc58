import LeapBlocks
import LeapGGUF
import LeapOps

/// The incremental encoding of a picture, one layer at a time, so that other users of the threads need not wait for all
/// of it.
///
/// Used by one caller at a time.
public final class PictureEncoding {
    private let tower: SigLIP2
    private let projector: ImageProjector
    private let file: GGUFFile
    private let patches: [Float]
    private let grid: PatchGrid
    /// With its own scratch memory, which holds the picture's rows between layers.
    private let compute: Compute
    /// For the layer that is being computed.
    private let attended: KeyValueCache
    private var stream: SigLIP2.Stream?
    private var layer = 0

    init(
        _ tower: SigLIP2, _ projector: ImageProjector, _ file: GGUFFile, _ patches: [Float], _ grid: PatchGrid,
        _ compute: Compute, _ configuration: VisionConfiguration
    ) throws(ModelError) {
        // Halves lose less than quantised weights do, and some CPUs multiply them faster.
        let type: KeyValueType = file.tensors.allSatisfy { $0.type == .F32 } ? .f32 : .f16
        var attended = KeyValueCache(
            heads: configuration.headCount, headDimension: configuration.headDimension,
            types: KeyValueTypes(keys: type, values: type))
        guard attended.reserve(0..<grid.count) else {
            throw .outOfMemory(
                purpose: "the encoder's keys and values", bytes: attended.byteCount(positions: grid.count))
        }
        (self.tower, self.projector, self.file, self.attended) = (tower, projector, file, attended)
        (self.patches, self.grid, self.compute) = (patches, grid, Compute(sharingThreadsOf: compute))
    }

    /// The share of the work that is done, from 0 to 1.
    public var progress: Double { Double(layer) / Double(tower.layerCount + 1) }

    /// Computes the next layer or, after the last one, the resulting rows.
    ///
    /// - Parameter shouldContinue: Called between the parts of a layer; `false` cancels the work.
    /// - Returns: The rows, which ``VisionEncoder/encode(_:of:_:shouldContinue:)`` describes; `nil` as long as there are layers left.
    /// - Throws: As ``VisionEncoder/encode(_:of:_:shouldContinue:)``.
    public func advance(shouldContinue: () -> Bool = { true }) throws(ModelError) -> [[Float]]? {
        guard shouldContinue() else { throw .cancelled }
        return try compute.exclusively { () throws(ModelError) -> [[Float]]? in
            let stream = try begun()
            compute.resumePass(of: .prompt)
            guard layer == tower.layerCount else {
                guard tower.advance(stream, through: layer, compute, shouldContinue) else { throw .cancelled }
                layer += 1
                return nil
            }
            let rows = rows(of: stream, compute)
            try checkNothingLost()
            return (0..<rows.count).map { Array(UnsafeBufferPointer(start: rows[$0], count: rows.width)) }
        }
    }

    /// Throws if pages of the file were lost, so that zeros may have been read in their place.
    private func checkNothingLost() throws(ModelError) {
        do { try file.checkNothingLost() } catch { throw .file(error) }
    }

    /// The picture before the next layer.
    private func begun() throws(ModelError) -> SigLIP2.Stream {
        if let stream { return stream }
        let bytes = compute.counted(positions: grid.count) { counting in
            let stream = tower.begin(patches, grid, attended, counting)
            _ = tower.advance(stream, through: 0, counting) { true }
            _ = rows(of: stream, counting)
        }
        guard compute.beginPass(of: .prompt, scratchBytes: bytes) else {
            throw .outOfMemory(purpose: "activations", bytes: bytes)
        }
        let stream = tower.begin(patches, grid, attended, compute)
        self.stream = stream
        return stream
    }

    private func rows(of stream: SigLIP2.Stream, _ compute: Compute) -> Rows {
        tower.finish(stream, compute)
        return projector(stream.x, grid, compute)
    }
}
