import ArgumentParser
import Foundation
import LeapAudio
import LeapGGUF
import LeapModels
import LeapOps
import LeapToolSupport

/// A picture's size in pixels as the user types it, `512x512`.
struct PictureSize: ExpressibleByArgument, Hashable {
    let width: Int
    let height: Int

    init?(argument: String) {
        let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        // Larger than any projector takes in one piece.
        let possible = 1...8192
        guard sides.count == 2, let width = sides[0], let height = sides[1], possible ~= width, possible ~= height
        else {
            return nil
        }
        (self.width, self.height) = (width, height)
    }
}

/// An input to encode.
enum EncodedInput {
    /// A picture of the given size.
    case picture(PictureSize)
    /// A sound of the given number of seconds.
    case sound(Double)

    var text: String {
        switch self {
        case .picture(let size): "\(size.width)x\(size.height)"
        case .sound(let seconds): String(format: "%g s", seconds)
        }
    }

    /// How the encoder in a file encodes it.
    func encoding(_ file: GGUFFile, _ compute: Compute) throws -> Encoding {
        switch self {
        case .picture(let size): try Self.encoding(size, VisionEncoder(file), compute)
        case .sound(let seconds): try Self.encoding(seconds, AudioEncoder(file), compute)
        }
    }

    /// An encoding, and the number of multiplications that it takes.
    struct Encoding {
        let work: Double
        let rows: (_ shouldContinue: () -> Bool) throws -> Int
    }

    private static func encoding(
        _ size: PictureSize, _ encoder: VisionEncoder, _ compute: Compute
    ) throws -> Encoding {
        let configuration = encoder.configuration
        let side = configuration.pixelsPerRow
        guard size.width.isMultiple(of: side), size.height.isMultiple(of: side) else {
            throw CommandError(
                "--image \(size.width)x\(size.height): both sides must be multiples of \(side) pixels, like those of tiles"
            )
        }
        let grid = PatchGrid(width: size.width / configuration.patchSize, height: size.height / configuration.patchSize)
        let patches = (0..<grid.count * configuration.patchLength).map { Float($0 * 7919 % 255) / 127.5 - 1 }
        return Encoding(work: configuration.multiplications(patches: grid.count)) { shouldContinue in
            try encoder.encode(patches, of: grid, compute, shouldContinue: shouldContinue).count
        }
    }

    /// Starts from samples, whose spectrogram is part of the work.
    private static func encoding(
        _ seconds: Double, _ encoder: AudioEncoder, _ compute: Compute
    ) throws -> Encoding {
        let count = Int(seconds * Double(LogMelSpectrogram.sampleRate))
        let samples = (0..<count).map { Float($0 * 7919 % 255) / 127.5 - 1 }
        let spectrogram = LogMelSpectrogram(bands: encoder.configuration.bands)
        let rows = encoder.configuration.rows(ofFrames: LogMelSpectrogram.frames(ofSamples: count))
        return Encoding(work: encoder.configuration.multiplications(rows: rows)) { shouldContinue in
            try encoder.encode(spectrogram(samples), compute, shouldContinue: shouldContinue).count
        }
    }
}

/// The time that an encoder takes.
struct EncodingMeasurement {
    let input: EncodedInput
    /// The number of rows that the input becomes.
    private(set) var rows = 0
    /// The time of every repetition.
    private(set) var seconds: [Double] = []
    /// For every repetition, the longest time between two cancellation checks: the maximum delay of a cancellation.
    private(set) var longestParts: [Double] = []
    /// Multiplications per pass.
    let work: Double

    init(_ encoding: EncodedInput.Encoding, _ input: EncodedInput, repetitions: Int, warmsUp: Bool) throws {
        self.input = input
        work = encoding.work
        for repetition in (warmsUp ? -1 : 0)..<repetitions {
            var questions = [ContinuousClock.now]
            let (count, time) = try timed {
                try encoding.rows {
                    questions.append(.now)
                    return true
                }
            }
            questions.append(.now)
            rows = count
            guard repetition >= 0 else { continue }
            seconds.append(time)
            longestParts.append(zip(questions, questions.dropFirst()).map { ($1 - $0) / .seconds(1) }.max() ?? 0)
        }
    }
}

extension AudioConfiguration {
    /// The multiplications for a sound of `rows` rows: those of matrices and of attention.
    fileprivate func multiplications(rows: Int) -> Double {
        let (width, hidden, count) = (Double(embeddingLength), Double(feedForwardLength), Double(rows))
        let layer = 4 * width * hidden + 7 * width * width + 2 * width * width + 4 * count * width
        let channels = Double(channels)
        let convolutions = Double(bands) * channels * (9 * (1 + 0.25) + channels * 1.25 / 2)
        let projector = (width + Double(outputLength)) * Double(projectorLength)
        return count * (convolutions + Double(bands) / 8 * channels * width + Double(blockCount) * layer + projector)
    }
}

extension VisionConfiguration {
    /// The multiplications for a picture of `patches` patches: those of matrices and of attention.
    fileprivate func multiplications(patches: Int) -> Double {
        let (width, hidden) = (Double(embeddingLength), Double(feedForwardLength))
        let layer = 4 * width * width + 2 * width * hidden + 2 * Double(patches) * width
        let square = Double(scaleFactor * scaleFactor)
        let projector = (square * width + Double(outputLength)) * Double(projectorLength) / square
        return Double(patches) * (Double(patchLength) * width + Double(blockCount) * layer + projector)
    }
}

/// A table of encoding times of pictures and sounds.
struct EncodingTable {
    private var table = TextTable([
        .left("projector", 32), .right("threads", 7), .right("input", 9), .right("rows", 5), .right("median ms", 9),
        .right("best ms", 9), .right("part ms", 9), .right("Gmul/s", 8),
    ])

    /// Adds a row.
    mutating func add(_ model: String, threads: Int, _ measurement: EncodingMeasurement) {
        let times = Statistics(measurement.seconds)
        let (median, best) = (times.median, times.quantile(0))
        table.add([
            model, "\(threads)", measurement.input.text, "\(measurement.rows)",
            String(format: "%.1f", 1000 * median), String(format: "%.1f", 1000 * best),
            String(format: "%.1f", 1000 * Statistics(measurement.longestParts).median),
            String(format: "%.0f", median > 0 ? measurement.work / median / 1e9 : 0),
        ])
    }

    var text: String { table.text }
}
