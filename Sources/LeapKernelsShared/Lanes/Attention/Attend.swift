#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

// Attention of a tile of queries over a tile of positions, in three steps: scores, softmax against the running
// maximum, and weighted values added to what earlier tiles gave. The first and the last are matrix products.

/// Attention over keys and values of any types; see `FloatKernels.Attend`.
///
/// Few queries meet keys and values as they are stored. For many, these become floats once, in scratch memory.
func attend(
    _ query: UnsafePointer<Float>, _ queries: Int,
    _ keys: UnsafeRawPointer, _ keyType: UInt32, _ values: UnsafeRawPointer, _ valueType: UInt32, _ positions: Int,
    _ headDimension: Int, _ visible: Int, _ window: Int, _ group: Int, _ next: UnsafeRawPointer,
    _ scratch: UnsafeMutablePointer<Float>, _ running: UnsafeMutablePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
) {
    let tile = AttentionTile(
        query: query, queries: queries, positions: positions, headDimension: headDimension, scores: scratch)
    tile.score(keys, KeyValueType(kernelArgument: keyType), next: values)
    tile.weigh(visible: visible, window: window, group: group, running)
    tile.add(values, KeyValueType(kernelArgument: valueType), to: output, next: next)
}

/// A matrix product of `TileProduct.swift`.
private typealias MatrixProduct = (
    _ a: Matrix<UnsafePointer<Float>>, _ b: Matrix<UnsafeRawPointer>, _ c: Matrix<UnsafeMutablePointer<Float>>,
    _ factors: UnsafePointer<Float>?, _ rows: Int, _ depth: Int, _ columns: Int, _ next: UnsafeRawPointer
) -> Void

/// The operands of one call, without keys and values.
private struct AttentionTile {
    let query: UnsafePointer<Float>
    let queries: Int
    let positions: Int
    let headDimension: Int
    /// `[queries, KeyValueTile.positions]`
    let scores: UnsafeMutablePointer<Float>

    /// For every query the factor by which earlier tiles shrink.
    @inline(__always)
    var factors: UnsafeMutablePointer<Float> { scores + queries * KeyValueTile.positions }

    /// Room for the keys or the values of the tile as floats: what holds keys is free again when values need it.
    @inline(__always)
    var floats: UnsafeMutablePointer<Float> { factors + (queries + 15) / 16 * 16 }

    @inline(__always)
    var isDirect: Bool { queries <= KeyValueTile.directQueries }
}

// MARK: - Scores

extension AttentionTile {
    /// `scores[i][p] = query[i] · key[p]`
    ///
    /// - Parameter next: What is read after the keys, to be prefetched.
    @inline(__always)
    func score(_ keys: UnsafeRawPointer, _ type: KeyValueType, next: UnsafeRawPointer) {
        switch type {
        case .f32: score(keys, size: 4, next: next, multiplyFloats)
        case .f16 where isDirect: score(keys, size: 2, next: next, multiplyHalves)
        case .bf16 where isDirect: score(keys, size: 2, next: next, multiplyBrainFloats)
        case .q8_0 where isDirect: scoreGroups(keys, next: next)
        default:
            let panels = (positions + KeyValueTile.panel - 1) / KeyValueTile.panel
            convertKeys(keys, type, panels: panels, headDimension, to: floats)
            score(UnsafeRawPointer(floats), size: 4, next: UnsafeRawPointer(floats), multiplyFloats)
        }
    }

    /// The product is a literal function wherever this is called.
    @inline(__always)
    private func score(_ keys: UnsafeRawPointer, size: Int, next: UnsafeRawPointer, _ multiply: MatrixProduct) {
        for start in stride(from: 0, to: positions, by: KeyValueTile.panel) {
            let offset = start * headDimension * size
            multiply(
                (query, headDimension), (keys + offset, KeyValueTile.panel), (scores + start, KeyValueTile.positions),
                nil, queries, headDimension, columns(from: start), next + offset)
        }
    }

    /// Scores of keys in `q8_0`: sums over each group, times its scales, are added up.
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

    /// `scores[i][p] += sums[i][p] · scales[p]`, or without what was there before for the first group.
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

    /// The columns of a panel from a position on. Those beyond the last position are computed where they share a vector
    /// with it, and not used.
    @inline(__always)
    private func columns(from start: Int) -> Int {
        min(KeyValueTile.panel, (positions - start + Lanes.scalarCount - 1) / Lanes.scalarCount * Lanes.scalarCount)
    }
}

// MARK: - Weights

extension AttentionTile {
    /// Turns scores into weights.
    @inline(__always)
    func weigh(visible: Int, window: Int, group: Int, _ running: UnsafeMutablePointer<Float>) {
        for index in 0..<queries {
            let end = visible + index / group
            let seen = max(0, min(positions, end))
            let first = max(0, min(seen, end - window))
            factors[index] = softmax(
                scores + index * KeyValueTile.positions, positions, visible: first..<seen, running + 2 * index)
        }
    }
}

// MARK: - Outputs

extension AttentionTile {
    /// `output[i] ← output[i] · factors[i] + Σ_p scores[i][p] · value[p]`
    ///
    /// - Parameter next: What is read after the values, to be prefetched.
    @inline(__always)
    func add(
        _ values: UnsafeRawPointer, _ type: KeyValueType, to output: UnsafeMutablePointer<Float>,
        next: UnsafeRawPointer
    ) {
        switch type {
        case .f32: add(values, to: output, next: next, multiplyFloats)
        case .f16 where isDirect: add(values, to: output, next: next, multiplyHalves)
        case .bf16 where isDirect: add(values, to: output, next: next, multiplyBrainFloats)
        case .q8_0 where isDirect: addGroups(values, to: output, next: next)
        default:
            convertValues(values, type, positions: positions, headDimension, to: floats)
            add(UnsafeRawPointer(floats), to: output, next: UnsafeRawPointer(floats), multiplyFloats)
        }
    }

    /// The product is a literal function wherever this is called.
    @inline(__always)
    private func add(
        _ values: UnsafeRawPointer, to output: UnsafeMutablePointer<Float>, next: UnsafeRawPointer,
        _ multiply: MatrixProduct
    ) {
        multiply(
            (UnsafePointer(scores), KeyValueTile.positions), (values, headDimension), (output, headDimension),
            UnsafePointer(factors), queries, positions, headDimension, next)
    }

    /// Outputs of values in `q8_0`: for each group, weights times its scales meet its quants.
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
