import ArgumentParser
import Foundation
import LeapModels
import LeapOps
import LeapToolSupport

/// A picture's size in pixels as a person types it, `512x512`.
struct PictureSize: ExpressibleByArgument, Hashable {
    let width: Int
    let height: Int

    init?(argument: String) {
        let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else { return nil }
        (self.width, self.height) = (width, height)
    }
}

/// How long an encoder takes to make rows of a picture.
struct EncodingMeasurement {
    let size: PictureSize
    /// Rows that the picture becomes.
    private(set) var rows = 0
    /// Of every repetition.
    private(set) var seconds: [Double] = []
    /// Of every repetition the longest part that is not interrupted, which is what a cancellation waits for at most.
    private(set) var longestParts: [Double] = []
    /// Multiplications of a pass.
    let work: Double

    init(
        _ encoder: VisionEncoder, _ compute: Compute, _ size: PictureSize, repetitions: Int, warmsUp: Bool
    ) throws {
        let configuration = encoder.configuration
        let side = configuration.pixelsPerRow
        guard size.width.isMultiple(of: side), size.height.isMultiple(of: side) else {
            throw CommandError(
                "--image \(size.width)x\(size.height): sides must be multiples of \(side) pixels, as tiles' are")
        }
        self.size = size
        let grid = PatchGrid(width: size.width / configuration.patchSize, height: size.height / configuration.patchSize)
        work = configuration.multiplications(patches: grid.count)
        let patches = (0..<grid.count * configuration.patchLength).map { Float($0 * 7919 % 255) / 127.5 - 1 }
        for repetition in (warmsUp ? -1 : 0)..<repetitions {
            var questions = [ContinuousClock.now]
            let (encoded, time) = try timed {
                try encoder.encode(patches, of: grid, compute) {
                    questions.append(.now)
                    return true
                }
            }
            questions.append(.now)
            rows = encoded.count
            guard repetition >= 0 else { continue }
            seconds.append(time)
            longestParts.append(zip(questions, questions.dropFirst()).map { ($1 - $0) / .seconds(1) }.max() ?? 0)
        }
    }
}

extension VisionConfiguration {
    /// Multiplications that a picture of so many patches takes: of matrices, and of attention.
    fileprivate func multiplications(patches: Int) -> Double {
        let (width, hidden) = (Double(embeddingLength), Double(feedForwardLength))
        let layer = 4 * width * width + 2 * width * hidden + 2 * Double(patches) * width
        let square = Double(scaleFactor * scaleFactor)
        let projector = (square * width + Double(outputLength)) * Double(projectorLength) / square
        return Double(patches) * (Double(patchLength) * width + Double(blockCount) * layer + projector)
    }
}

/// How long pictures take, for people.
struct EncodingTable {
    private var table = TextTable([
        .left("projector", 32), .right("threads", 7), .right("pixels", 9), .right("rows", 5), .right("median ms", 9),
        .right("best ms", 9), .right("part ms", 9), .right("Gmul/s", 8),
    ])

    /// Adds a row.
    mutating func add(_ model: String, threads: Int, _ measurement: EncodingMeasurement) {
        let times = Statistics(measurement.seconds)
        let (median, best) = (times.median, times.quantile(0))
        table.add([
            model, "\(threads)", "\(measurement.size.width)x\(measurement.size.height)", "\(measurement.rows)",
            String(format: "%.1f", 1000 * median), String(format: "%.1f", 1000 * best),
            String(format: "%.1f", 1000 * Statistics(measurement.longestParts).median),
            String(format: "%.0f", median > 0 ? measurement.work / median / 1e9 : 0),
        ])
    }

    var text: String { table.text }
}
