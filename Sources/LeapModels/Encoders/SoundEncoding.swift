import LeapGGUF
import LeapOps

/// The incremental encoding of a recording, a part of a layer at a time, so that other users of the threads need not
/// wait for all of it.
///
/// Used by one caller at a time.
public final class SoundEncoding {
    private let encoder: AudioEncoder
    private let frames: [Float]
    private let frameCount: Int
    private let rowCount: Int
    /// With its own scratch memory, which holds the recording's rows between parts.
    let compute: Compute
    private var stream: Stream?
    /// Rows that the first convolutions have computed.
    private var subsampled = 0
    private var part = 0

    /// The recording between two parts, in scratch memory.
    private struct Stream {
        /// `[n, bands]`
        let frames: Rows
        /// `[rows, embeddingLength]`
        let x: Rows
        /// `[2 · rows − 1, embeddingLength]`
        let distances: Rows
    }

    /// Rows that the convolutions compute at a time. The image between the first two is some 130 times as large.
    private static let subsamplingRows = 32

    init(_ encoder: AudioEncoder, _ frames: [Float], _ compute: Compute) {
        (self.encoder, self.frames, self.compute) = (encoder, frames, Compute(sharingThreadsOf: compute))
        frameCount = frames.count / encoder.configuration.bands
        rowCount = encoder.configuration.rows(ofFrames: frameCount)
    }

    /// The share of the work that is done, from 0 to 1.
    public var progress: Double {
        Double(part) / Double(encoder.conformer.partCount + 1) * 0.9 + Double(subsampled) / Double(rowCount) * 0.1
    }

    /// Computes the next part or, after the last one, the resulting rows.
    ///
    /// - Parameter shouldContinue: Called within a part; `false` cancels the work.
    /// - Returns: The rows, which ``AudioEncoder/encode(_:_:shouldContinue:)`` describes; `nil` as long as there are parts left.
    /// - Throws: As ``AudioEncoder/encode(_:_:shouldContinue:)``.
    public func advance(shouldContinue: () -> Bool = { true }) throws(ModelError) -> [[Float]]? {
        guard shouldContinue() else { throw .cancelled }
        return try compute.exclusively { () throws(ModelError) -> [[Float]]? in
            let stream = try begun()
            compute.resumePass(of: .prompt)
            if subsampled < rowCount {
                subsampled = subsample(from: subsampled, stream, compute)
                return nil
            }
            guard part == encoder.conformer.partCount else {
                guard encoder.conformer.advance(stream.x, stream.distances, through: part, compute, shouldContinue)
                else {
                    throw .cancelled
                }
                part += 1
                return nil
            }
            let rows = encoder.projector(stream.x, compute)
            try checkNothingLost()
            return (0..<rows.count).map { Array(UnsafeBufferPointer(start: rows[$0], count: rows.width)) }
        }
    }

    /// Throws if pages of the file were lost, so that zeros may have been read in their place.
    private func checkNothingLost() throws(ModelError) {
        do { try encoder.file.checkNothingLost() } catch { throw .file(error) }
    }

    /// Computes some rows from frames, and returns where the next begin.
    private func subsample(from start: Int, _ stream: Stream, _ compute: Compute) -> Int {
        let end = min(start + Self.subsamplingRows, rowCount)
        compute.scratch.scope {
            encoder.subsampling.write(start..<end, of: stream.frames, to: stream.x[start..<end], compute)
        }
        return end
    }

    /// The recording before the next part.
    private func begun() throws(ModelError) -> Stream {
        if let stream { return stream }
        let bytes = compute.counted(positions: rowCount) { counting in
            let stream = begin(counting)
            // Rows in the middle need the most memory: there the convolutions read beyond them on both sides.
            _ = subsample(from: rowCount > 2 * Self.subsamplingRows ? Self.subsamplingRows : 0, stream, counting)
            for part in 0..<min(4, encoder.conformer.partCount) {
                _ = encoder.conformer.advance(stream.x, stream.distances, through: part, counting) { true }
            }
            _ = encoder.projector(stream.x, counting)
        }
        guard compute.beginPass(of: .prompt, scratchBytes: bytes) else {
            throw .outOfMemory(purpose: "activations", bytes: bytes)
        }
        let stream = begin(compute)
        self.stream = stream
        return stream
    }

    private func begin(_ compute: Compute) -> Stream {
        let (bands, width) = (encoder.configuration.bands, encoder.configuration.embeddingLength)
        let stream = Stream(
            frames: compute.scratch.rows(frameCount, width: bands), x: compute.scratch.rows(rowCount, width: width),
            distances: compute.scratch.rows(2 * rowCount - 1, width: width))
        guard !compute.isCounting else { return stream }
        frames.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { stream.frames.base.update(from: base, count: source.count) }
        }
        Conformer.writeDistances(to: stream.distances)
        return stream
    }
}
