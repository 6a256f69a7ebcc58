import LeapOps

/// The convolutions that turn eight frames of a spectrogram into one row of a conformer:
///
///     x ← ReLU(halve(x));   twice:  x ← ReLU(W · halve(x) + b);   y = W · flatten(x) + b
///
/// Source: Rekesh et al. 2023, "Fast Conformer", section 2.1; tensor names as GGUF files have them.
struct Subsampling: Sendable {
    private let channels: Int
    private let first: Filter
    /// Each channel by itself, and then all channels of a place with each other.
    private let others: [(filter: Filter, mixing: Projection)]
    private let output: Projection

    private struct Filter: Sendable {
        /// `[9, channels]`
        let weights: FloatVector
        let bias: FloatVector

        var image: ImageFilter { ImageFilter(weights: weights.base, bias: bias.base) }
    }

    init(_ configuration: AudioConfiguration, _ weights: Weights) throws(ModelError) {
        channels = configuration.channels
        let channels = channels
        func filter(_ name: String) throws(ModelError) -> Filter {
            Filter(
                weights: try weights.transposed(
                    "\(name).weight", rows: channels, columns: 9, dimensions: [3, 3, 1, channels]),
                bias: try weights.channelVector("\(name).bias", count: channels))
        }
        func mixing(_ name: String) throws(ModelError) -> Projection {
            Projection(
                try weights.matrix(
                    "\(name).weight", rows: channels, columns: channels, dimensions: [1, 1, channels, channels]),
                bias: try weights.channelVector("\(name).bias", count: channels))
        }
        first = try filter("a.conv1d.0")
        others = [
            (try filter("a.conv1d.2"), try mixing("a.conv1d.3")), (try filter("a.conv1d.5"), try mixing("a.conv1d.6")),
        ]
        output = try weights.biasedProjection(
            "a.pre_encode.out", rows: configuration.embeddingLength, columns: channels * configuration.frequencies)
    }

    /// Some of the rows that frames become.
    ///
    /// - Parameters:
    ///   - frames: `[n, bands]`, of the whole recording.
    ///   - range: The rows.
    ///   - target: `[range.count, embeddingLength]`.
    func write(_ range: Range<Int>, of frames: Rows, to target: Rows, _ compute: Compute) {
        // Every halving reads what the one before made, up to a time on both sides.
        let counts = (0...others.count).reduce(into: [frames.count]) { counts, _ in
            counts.append(ImageRows.halved(counts[counts.count - 1]))
        }
        var ranges = [range]
        for count in counts.dropFirst().dropLast().reversed() {
            ranges.insert(ImageRows.sources(of: ranges[0], within: count), at: 0)
        }
        var image = halved(ImageRows(spectrogram: frames), first, to: ranges[0], compute)
        compute.relu(image.rows)
        for (index, stage) in others.enumerated() {
            let halved = halved(image, stage.filter, to: ranges[index + 1], compute)
            var input = Activations(halved.rows, .prompt)
            let mixed = stage.mixing(&input, compute)
            compute.relu(mixed)
            image = ImageRows(mixed, times: halved.times, frequencies: halved.frequencies)
        }
        var input = Activations(flattened(image, compute), .prompt)
        let rows = output(&input, compute)
        guard !compute.isCounting else { return }
        target.base.update(from: rows.base, count: rows.count * rows.width)
    }

    private func halved(_ image: ImageRows, _ filter: Filter, to times: Range<Int>, _ compute: Compute) -> ImageRows {
        let target = ImageRows(
            times: times, frequencies: ImageRows.halved(image.frequencies), channels: channels, compute)
        compute.halve(image, filter.image, into: target)
        return target
    }

    /// `[times, channels · frequencies]`: all frequencies of a channel together.
    private func flattened(_ image: ImageRows, _ compute: Compute) -> Rows {
        let (frequencies, times) = (image.frequencies, image.times.count)
        let rows = compute.scratch.rows(times, width: channels * frequencies)
        guard !compute.isCounting else { return rows }
        for time in 0..<times {
            for frequency in 0..<frequencies {
                let place = image.rows[time * frequencies + frequency]
                for channel in 0..<channels { rows[time][channel * frequencies + frequency] = place[channel] }
            }
        }
        return rows
    }
}
