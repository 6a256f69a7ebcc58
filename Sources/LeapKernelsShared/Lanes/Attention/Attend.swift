#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

// Attention of a tile of queries over a tile of positions, in three steps: scores, softmax against the running maximum,
// and the weighted values, added to the rescaled result of earlier tiles. The first and the last are matrix products.

/// Attention over keys and values of any types; see `FloatKernels.Attend`.
///
/// For few queries, keys and values are used in their stored format. For many, they are first converted to floats in scratch
/// memory.
func attend(
    _ query: UnsafePointer<Float>, _ prepared: UnsafePointer<Float>, _ queries: Int,
    _ keys: UnsafeRawPointer, _ keyType: UInt32, _ values: UnsafeRawPointer, _ valueType: UInt32, _ positions: Int,
    _ headDimension: Int, _ visible: Int, _ window: Int, _ group: Int, _ next: UnsafeRawPointer,
    _ scratch: UnsafeMutablePointer<Float>, _ running: UnsafeMutablePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
) {
    let shape = TileShape(
        positions: positions, headDimension: headDimension, visible: visible, window: window, group: group)
    var keys = Stored(start: keys, type: KeyValueType(kernelArgument: keyType), next: values)
    var values = Stored(start: values, type: KeyValueType(kernelArgument: valueType), next: next)
    if queries > KeyValueTile.directQueries {
        let floats = AttentionTile(shape, query, 0..<min(queries, KeyValueTile.scoredQueries), scratch).floats
        keys = keys.asFloats(in: floats) {
            let panels = (positions + KeyValueTile.panel - 1) / KeyValueTile.panel
            convertKeys(keys.start, keys.type, panels: panels, headDimension, to: $0)
        }
        values = values.asFloats(in: floats + KeyValueTile.positions * headDimension) {
            convertValues(values.start, values.type, positions: positions, headDimension, to: $0)
        }
    }
    for first in stride(from: 0, to: queries, by: KeyValueTile.scoredQueries) {
        let range = first..<min(first + KeyValueTile.scoredQueries, queries)
        let tile = AttentionTile(shape, query, range, scratch)
        tile.score(keys)
        tile.weigh(running)
        tile.add(values, to: output)
    }
}

/// Does nothing: queries are used as they are.
func prepareQueries(
    _ query: UnsafePointer<Float>, _ queries: Int, _ headDimension: Int, _ prepared: UnsafeMutablePointer<Float>
) {}

/// Properties that all queries of a call share.
private struct TileShape {
    let positions: Int
    let headDimension: Int
    /// Positions visible to the first group of queries.
    let visible: Int
    let window: Int
    let group: Int
}

/// Keys or values, in the cache's type or as floats.
private struct Stored {
    let start: UnsafeRawPointer
    let type: KeyValueType
    /// What is read next, to be prefetched.
    let next: UnsafeRawPointer

    /// The same data as floats; `convert` writes them unless the data already are floats.
    @inline(__always)
    func asFloats(
        in floats: UnsafeMutablePointer<Float>, _ convert: (UnsafeMutablePointer<Float>) -> Void
    ) -> Stored {
        guard type != .f32 else { return self }
        convert(floats)
        return Stored(start: UnsafeRawPointer(floats), type: .f32, next: UnsafeRawPointer(floats))
    }
}

/// A matrix product of `TileProduct.swift`.
private typealias MatrixProduct = (
    _ a: Matrix<UnsafePointer<Float>>, _ b: Matrix<UnsafeRawPointer>, _ c: Matrix<UnsafeMutablePointer<Float>>,
    _ factors: UnsafePointer<Float>?, _ rows: Int, _ depth: Int, _ columns: Int, _ next: UnsafeRawPointer
) -> Void

/// A contiguous range of a call's queries.
private struct AttentionTile {
    let shape: TileShape
    /// `[queries, headDimension]`
    let query: UnsafePointer<Float>
    /// Indices of the queries within the call.
    let range: Range<Int>
    /// Positions visible to at least one of the queries, but never fewer than one; the rest have zero weight.
    let positions: Int
    /// `[queries, KeyValueTile.positions]`
    let scores: UnsafeMutablePointer<Float>

    @inline(__always)
    init(
        _ shape: TileShape, _ query: UnsafePointer<Float>, _ range: Range<Int>, _ scores: UnsafeMutablePointer<Float>
    ) {
        self.shape = shape
        self.query = query + range.lowerBound * shape.headDimension
        self.range = range
        positions = max(1, min(shape.positions, shape.visible + (range.upperBound - 1) / shape.group))
        self.scores = scores
    }

    @inline(__always)
    var queries: Int { range.count }

    @inline(__always)
    var headDimension: Int { shape.headDimension }

    /// For every query, the factor by which the results of earlier tiles are rescaled.
    @inline(__always)
    var factors: UnsafeMutablePointer<Float> { scores + queries * KeyValueTile.positions }

    /// Scratch memory for the tile's keys and values as floats.
    @inline(__always)
    var floats: UnsafeMutablePointer<Float> { factors + (queries + 15) / 16 * 16 }
}

// MARK: - Scores

extension AttentionTile {
    /// `scores[i][p] = query[i] · key[p]`
    @inline(__always)
    func score(_ keys: Stored) {
        switch keys.type {
        case .f32: score(keys, size: 4, multiplyFloats)
        case .f16: score(keys, size: 2, multiplyHalves)
        case .bf16: score(keys, size: 2, multiplyBrainFloats)
        case .q8_0: scoreGroups(keys.start, next: keys.next)
        }
    }

    /// `multiply` is a function literal at every call site, so that it is inlined.
    @inline(__always)
    private func score(_ keys: Stored, size: Int, _ multiply: MatrixProduct) {
        for start in stride(from: 0, to: positions, by: KeyValueTile.panel) {
            let offset = start * headDimension * size
            multiply(
                (query, headDimension), (keys.start + offset, KeyValueTile.panel),
                (scores + start, KeyValueTile.positions), nil, queries, headDimension, columns(from: start),
                keys.next + offset)
        }
    }

    /// Scores of `q8_0` keys: adds up each group's sums times the group's scales.
    @inline(__always)
    private func scoreGroups(_ keys: UnsafeRawPointer, next: UnsafeRawPointer) {
        let bytes = KeyValueTile.groupBytes(positions: KeyValueTile.panel)
        let sums = floats
        for start in stride(from: 0, to: positions, by: KeyValueTile.panel) {
            let columns = columns(from: start)
            let offset = start * headDimension / (KeyValueTile.panel * KeyValueTile.group) * bytes
            for group in 0..<headDimension / KeyValueTile.group {
                let scales = keys + (offset + group * bytes)
                let quants = 2 * KeyValueTile.panel
                let following = next + (offset + group * bytes)
                prefetch(following, count: quants)
                multiplySignedBytes(
                    (query + group * KeyValueTile.group, headDimension), (scales + quants, KeyValueTile.panel),
                    (sums, KeyValueTile.panel), factors: nil, rows: queries, depth: KeyValueTile.group,
                    columns: columns, next: following + quants)
                addScaled(sums, scales, isFirst: group == 0, columns, to: scores + start)
            }
        }
    }

    /// `scores[i][p] += sums[i][p] · scales[p]`; the first group overwrites instead of adding.
    @inline(__always)
    private func addScaled(
        _ sums: UnsafePointer<Float>, _ scales: UnsafeRawPointer, isFirst: Bool, _ columns: Int,
        to scores: UnsafeMutablePointer<Float>
    ) {
        let scales = scales.assumingMemoryBound(to: UInt16.self)
        for column in stride(from: 0, to: columns, by: Lanes.scalarCount) {
            let scale = loadHalves(scales + column)
            for row in 0..<queries {
                let target = scores + (row * KeyValueTile.positions + column)
                let before = isFirst ? Lanes(repeating: 0) : load(target)
                store(multiplyAdd(load(sums + row * KeyValueTile.panel + column), scale, before), to: target)
            }
        }
    }

    /// The columns of a panel from a position on. Columns beyond the last position are computed if they share a vector
    /// with it, and ignored.
    @inline(__always)
    private func columns(from start: Int) -> Int {
        min(KeyValueTile.panel, (positions - start + Lanes.scalarCount - 1) / Lanes.scalarCount * Lanes.scalarCount)
    }
}

// MARK: - Weights

extension AttentionTile {
    /// Turns scores into weights.
    @inline(__always)
    func weigh(_ running: UnsafeMutablePointer<Float>) {
        for index in range {
            let end = shape.visible + index / shape.group
            let seen = max(0, min(positions, end))
            let first = max(0, min(seen, end - shape.window))
            let row = index - range.lowerBound
            factors[row] = softmax(
                scores + row * KeyValueTile.positions, positions, visible: first..<seen, running + 2 * index)
        }
    }
}

// MARK: - Outputs

extension AttentionTile {
    /// `output[i] ← output[i] · factors[i] + Σ_p scores[i][p] · value[p]`, where `output` is that of all queries.
    @inline(__always)
    func add(_ values: Stored, to output: UnsafeMutablePointer<Float>) {
        let output = output + range.lowerBound * headDimension
        switch values.type {
        case .f32: add(values, to: output, multiplyFloats)
        case .f16: add(values, to: output, multiplyHalves)
        case .bf16: add(values, to: output, multiplyBrainFloats)
        case .q8_0: addGroups(values.start, to: output, next: values.next)
        }
    }

    /// `multiply` is a function literal at every call site, so that it is inlined.
    @inline(__always)
    private func add(_ values: Stored, to output: UnsafeMutablePointer<Float>, _ multiply: MatrixProduct) {
        multiply(
            (UnsafePointer(scores), KeyValueTile.positions), (values.start, headDimension), (output, headDimension),
            UnsafePointer(factors), queries, positions, headDimension, values.next)
    }

    /// Outputs of `q8_0` values: for each group, multiplies the weights by the group's scales, then by its quants.
    @inline(__always)
    private func addGroups(
        _ values: UnsafeRawPointer, to output: UnsafeMutablePointer<Float>, next: UnsafeRawPointer
    ) {
        let bytes = KeyValueTile.groupBytes(positions: KeyValueTile.positions)
        let quants = 2 * KeyValueTile.positions
        let weights = floats
        for group in 0..<headDimension / KeyValueTile.group {
            let scales = values + group * bytes
            let following = next + group * bytes
            prefetch(following, count: quants)
            scaleWeights(by: scales, into: weights)
            multiplySignedBytes(
                (UnsafePointer(weights), KeyValueTile.positions), (scales + quants, KeyValueTile.group),
                (output + group * KeyValueTile.group, headDimension), factors: UnsafePointer(factors), rows: queries,
                depth: positions, columns: KeyValueTile.group, next: following + quants)
        }
    }

    /// `weights[i][p] = scores[i][p] · scales[p]`
    @inline(__always)
    private func scaleWeights(by scales: UnsafeRawPointer, into weights: UnsafeMutablePointer<Float>) {
        let scales = scales.assumingMemoryBound(to: UInt16.self)
        forEachLanes(positions) { i in
            let scale = loadHalves(scales + i)
            for row in stride(from: 0, to: queries * KeyValueTile.positions, by: KeyValueTile.positions) {
                store(load(scores + row + i) * scale, to: weights + row + i)
            }
        } rest: { i, n in
            let scale = loadHalves(scales + i, first: n)
            for row in stride(from: 0, to: queries * KeyValueTile.positions, by: KeyValueTile.positions) {
                store(load(scores + row + i, first: n) * scale, first: n, to: weights + row + i)
            }
        }
    }
}
#endif
