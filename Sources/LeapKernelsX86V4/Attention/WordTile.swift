#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// A tile of attention as 16-bit whole numbers: where it lies, and how halves and floats become it; see `AttendWords.swift`.

/// Weights are whole numbers up to this one.
@inline(__always)
var weightLimit: Float { 32767 }

/// Values are whole numbers up to this one: 32 · 32,767 · 2047 < 2³¹.
@inline(__always)
private var valueLimit: Float { 2047 }

/// Where the numbers of a tile lie in scratch memory.
struct WordTile {
    let queries: Int
    let positions: Int
    let headDimension: Int
    /// `[queries, KeyValueTile.positions]`; a row of scores becomes a row of 16-bit weights in its place.
    let scores: UnsafeMutablePointer<Float>
    /// For every query the factor by which earlier tiles shrink, and that of its products with values.
    let corrections: UnsafeMutablePointer<Float>
    let shares: UnsafeMutablePointer<Float>
    /// `[panels, headDimension / 2, 64, 2]`
    let keys: UnsafeMutableRawPointer
    /// `[positions / 2, valueColumns, 2]`
    let values: UnsafeMutableRawPointer
    /// Elements of a head, filled up to whole vectors.
    let valueColumns: Int
    /// `[queries, headDimension]`
    let rows: UnsafeMutableRawPointer
    let keySteps: UnsafeMutablePointer<Float>
    let valueSteps: UnsafeMutablePointer<Float>
    let querySteps: UnsafeMutablePointer<Float>
    /// Queries and keys are whole numbers up to this one.
    let scoreLimit: Float

    /// Divides what `KeyValueTile.scratchCount` gives: keys and values take half of what they take as floats.
    @inline(__always)
    init(queries: Int, positions: Int, headDimension: Int, scratch: UnsafeMutablePointer<Float>) {
        self.queries = queries
        self.positions = positions
        self.headDimension = headDimension
        scores = scratch
        corrections = scores + queries &* KeyValueTile.positions
        let words = UnsafeMutableRawPointer(corrections + ((queries &+ 15) & ~15))
        let tileBytes = 2 &* KeyValueTile.positions &* headDimension
        valueColumns = (headDimension &+ 15) & ~15
        keys = words
        values = words + tileBytes
        rows = values + 2 &* KeyValueTile.positions &* valueColumns
        keySteps = (rows + 2 &* headDimension &* (queries &+ 5)).assumingMemoryBound(to: Float.self)
        valueSteps = keySteps + KeyValueTile.positions
        querySteps = valueSteps + valueColumns
        shares = querySteps + queries
        scoreLimit = Float(Int((Float(0x7FFF_FF00) / Float(headDimension)).squareRoot()))
    }

}

// MARK: - Whole numbers

/// Rounds queries; `false` if one is not finite.
@inline(never)
func convertQueries(_ query: UnsafePointer<Float>, _ tile: WordTile) -> Bool {
    for index in 0..<tile.queries {
        let source = query + index &* tile.headDimension
        var largest = Bytes64(repeating: 0)
        for i in stride(from: 0, to: tile.headDimension, by: 16) {
            let elements = unsafeBitCast(load(source + i, first: min(16, tile.headDimension &- i)), to: Bytes64.self)
            let magnitude = elements & Bytes64(repeating: 0x7FFF_FFFF_7FFF_FFFF)
            largest = _mm512_max_epi32(largest, magnitude)
        }
        let size = Float(bitPattern: UInt32(bitPattern: _mm512_reduce_max_epi32(largest)))
        guard size < .infinity else { return false }
        tile.querySteps[index] = size / tile.scoreLimit
        let scale = Lanes(repeating: size > 0 ? tile.scoreLimit / size : 0)
        let target = tile.rows + 2 &* index &* tile.headDimension
        for i in stride(from: 0, to: tile.headDimension, by: 16) {
            let elements = load(source + i, first: min(16, tile.headDimension &- i))
            let words = _mm512_cvtepi32_epi16(_mm512_cvtps_epi32(elements * scale))
            // What the last of them writes behind the head, the next query overwrites.
            (target + 2 &* i).storeBytes(of: words, as: Bytes32.self)
        }
    }
    return true
}

/// Rounds keys, two elements of a position side by side; `false` if one is not finite.
@inline(never)
func convertKeys(_ keys: UnsafeRawPointer, _ tile: WordTile) -> Bool {
    let panels = (tile.positions &+ KeyValueTile.panel &- 1) / KeyValueTile.panel
    for panel in 0..<panels {
        let source = keys.assumingMemoryBound(to: UInt16.self) + panel &* KeyValueTile.panel &* tile.headDimension
        convertColumns(
            (source, KeyValueTile.panel), rows: tile.headDimension, columns: KeyValueTile.panel, limit: tile.scoreLimit,
            to: (tile.keys + 2 &* panel &* KeyValueTile.panel &* tile.headDimension, KeyValueTile.panel),
            steps: tile.keySteps + panel &* KeyValueTile.panel)
    }
    return areFinite(tile.keySteps, tile.positions)
}

/// Rounds values, two positions of an element side by side; `false` if one is not finite.
@inline(never)
func convertValues(_ values: UnsafeRawPointer, _ tile: WordTile) -> Bool {
    convertColumns(
        (values.assumingMemoryBound(to: UInt16.self), tile.headDimension), rows: tile.positions,
        columns: tile.headDimension, limit: valueLimit, to: (tile.values, tile.valueColumns), steps: tile.valueSteps)
    return areFinite(tile.valueSteps, tile.headDimension)
}

/// Rounds halves, `[rows, columns]`, to multiples of a step for each column: `[rows / 2, stride, 2]`, with a row of
/// zeros at the end if their number is odd, and zeros up to whole vectors of columns.
@inline(__always)
private func convertColumns(
    _ source: Matrix<UnsafePointer<UInt16>>, rows: Int, columns: Int, limit: Float,
    to target: Matrix<UnsafeMutableRawPointer>, steps: UnsafeMutablePointer<Float>
) {
    for column in stride(from: 0, to: columns & ~15, by: 16) {
        convertVector(source, rows, column, limit, to: target, steps) { bytes32($0) }
    }
    guard columns & 15 != 0 else { return }
    let mask = UInt16(truncatingIfNeeded: (1 &<< (columns & 15)) &- 1)
    convertVector(source, rows, columns & ~15, limit, to: target, steps) { _mm256_maskz_loadu_epi16(mask, $0) }
}

/// ``convertColumns`` of 16 columns.
@inline(__always)
private func convertVector(
    _ source: Matrix<UnsafePointer<UInt16>>, _ rows: Int, _ column: Int, _ limit: Float,
    to target: Matrix<UnsafeMutableRawPointer>, _ steps: UnsafeMutablePointer<Float>,
    halves: (UnsafePointer<UInt16>) -> Bytes32
) {
    let magnitude = Bytes32(repeating: 0x7FFF_7FFF_7FFF_7FFF)
    let top = source.base + column
    var largest = Bytes32(repeating: 0)
    for row in 0..<rows { largest = _mm256_max_epu16(largest, halves(top + row &* source.stride) & magnitude) }
    let size = _mm512_cvtph_ps(largest)
    store(size / Lanes(repeating: limit), to: steps + column)

    // Where all are zero, so is the product with any scale.
    let scale = Lanes(repeating: limit) / maximum(size, Lanes(repeating: 1e-30))
    for pair in 0..<rows / 2 {
        let two = top + 2 &* pair &* source.stride
        let words = pairs(
            _mm512_cvtph_ps(halves(two)) * scale, _mm512_cvtph_ps(halves(two + source.stride)) * scale)
        (target.base + 4 &* (pair &* target.stride &+ column)).storeBytes(of: words, as: Bytes64.self)
    }
    if rows & 1 == 1 {
        let last = _mm512_cvtph_ps(halves(top + (rows &- 1) &* source.stride))
        (target.base + 4 &* (rows / 2 &* target.stride &+ column))
            .storeBytes(of: pairs(last * scale, Lanes(repeating: 0)), as: Bytes64.self)
    }
}

/// Two vectors, rounded to 16-bit numbers, side by side in every lane.
@inline(__always)
private func pairs(_ low: Lanes, _ high: Lanes) -> Bytes64 {
    let lower = _mm512_cvtps_epi32(low) & Bytes64(repeating: 0x0000_FFFF_0000_FFFF)
    return lower | _mm512_slli_epi32(_mm512_cvtps_epi32(high), 16)
}

@inline(__always)
private func areFinite(_ numbers: UnsafePointer<Float>, _ count: Int) -> Bool {
    for i in 0..<count where !(numbers[i] < .infinity) { return false }
    return true
}
#endif
