#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Outputs: weights times values.

/// `output[q] ← output[q] · correction[q] + share[q] · Σ_p weight[q][p] · value[p]`
@inline(never)
func multiplyValues(_ tile: WordTile, _ output: UnsafeMutablePointer<Float>) {
    let output = output + tile.range.lowerBound &* tile.headDimension
    let rowBytes = 4 &* KeyValueTile.positions
    for column in stride(from: 0, to: tile.headDimension & ~63, by: 64) {
        let values = UnsafeRawPointer(tile.values) + 4 &* column
        let steps = tile.valueSteps + column
        for first in stride(from: 0, to: tile.queries, by: 3) {
            let weights = UnsafeRawPointer(tile.scores) + first &* rowBytes
            var totals = ThreeRows<Lanes>(Lanes(repeating: 0))
            for start in stride(from: 0, to: tile.positions, by: 32) {
                let sums = products(
                    weights + 2 &* start, stride: rowBytes,
                    strips: values + 2 &* start &* tile.valueColumns, stride: 4 &* tile.valueColumns, pairs: 16)
                add(sums.row0, to: &totals.row0)
                add(sums.row1, to: &totals.row1)
                add(sums.row2, to: &totals.row2)
            }
            totals.visit { total, row in
                guard first &+ row < tile.queries else { return }
                let target = output + ((first &+ row) &* tile.headDimension &+ column)
                let correction = Lanes(repeating: tile.corrections[first &+ row])
                let share = Lanes(repeating: tile.shares[first &+ row])
                store(multiplyAdd(total.a, load(steps) * share, load(target) * correction), to: target)
                store(multiplyAdd(total.b, load(steps + 16) * share, load(target + 16) * correction), to: target + 16)
                store(multiplyAdd(total.c, load(steps + 32) * share, load(target + 32) * correction), to: target + 32)
                store(multiplyAdd(total.d, load(steps + 48) * share, load(target + 48) * correction), to: target + 48)
            }
        }
    }
    for column in stride(from: tile.headDimension & ~63, to: tile.headDimension, by: 16) {
        multiplyVector(of: column, tile, output)
    }
}

/// The same for up to 16 elements of a head: eight queries at a time, whose independent sums hide the latency of a
/// product.
@inline(__always)
private func multiplyVector(of column: Int, _ tile: WordTile, _ output: UnsafeMutablePointer<Float>) {
    let rowBytes = 4 &* KeyValueTile.positions
    for first in stride(from: 0, to: tile.queries, by: 8) {
        let none = Lanes(repeating: 0)
        var (low, high): (WordStrip<Lanes>, WordStrip<Lanes>) = ((none, none, none, none), (none, none, none, none))
        for start in stride(from: 0, to: tile.positions, by: 32) {
            let weights = UnsafeRawPointer(tile.scores) + first &* rowBytes + 2 &* start
            let values = UnsafeRawPointer(tile.values) + 2 &* start &* tile.valueColumns + 4 &* column
            let zero = Bytes64(repeating: 0)
            var (lower, upper): (WordStrip<Bytes64>, WordStrip<Bytes64>) = (
                (zero, zero, zero, zero), (zero, zero, zero, zero)
            )
            for pair in 0..<16 {
                let vector = bytes64(values + 4 &* pair &* tile.valueColumns)
                addRows(&lower, weights + 4 &* pair, stride: rowBytes, vector)
                addRows(&upper, weights + 4 &* pair + 4 &* rowBytes, stride: rowBytes, vector)
            }
            add(lower, to: &low)
            add(upper, to: &high)
        }
        store(low, ofQueriesFrom: first, column, tile, output)
        store(high, ofQueriesFrom: first &+ 4, column, tile, output)
    }
}

/// Accumulates two products in every lane, of four rows with one vector.
@inline(__always)
private func addRows(_ sums: inout WordStrip<Bytes64>, _ row: UnsafeRawPointer, stride: Int, _ vector: Bytes64) {
    sums.a = _mm512_dpwssd_epi32(sums.a, _mm512_set1_epi32(row.loadUnaligned(as: Int32.self)), vector)
    sums.b = _mm512_dpwssd_epi32(sums.b, _mm512_set1_epi32((row + stride).loadUnaligned(as: Int32.self)), vector)
    sums.c = _mm512_dpwssd_epi32(sums.c, _mm512_set1_epi32((row + 2 &* stride).loadUnaligned(as: Int32.self)), vector)
    sums.d = _mm512_dpwssd_epi32(sums.d, _mm512_set1_epi32((row + 3 &* stride).loadUnaligned(as: Int32.self)), vector)
}

/// Merges the new contributions to a vector of elements of four queries with their previous outputs.
@inline(__always)
private func store(
    _ totals: WordStrip<Lanes>, ofQueriesFrom first: Int, _ column: Int, _ tile: WordTile,
    _ output: UnsafeMutablePointer<Float>
) {
    let count = min(16, tile.headDimension &- column)
    let steps = load(tile.valueSteps + column)
    func join(_ total: Lanes, _ query: Int) {
        guard query < tile.queries else { return }
        let target = output + (query &* tile.headDimension &+ column)
        let old = load(UnsafePointer(target), first: count) * Lanes(repeating: tile.corrections[query])
        store(multiplyAdd(total, steps * Lanes(repeating: tile.shares[query]), old), first: count, to: target)
    }
    join(totals.a, first)
    join(totals.b, first &+ 1)
    join(totals.c, first &+ 2)
    join(totals.d, first &+ 3)
}

@inline(__always)
private func add(_ sums: WordStrip<Bytes64>, to totals: inout WordStrip<Lanes>) {
    totals.a = totals.a + floats(sums.a)
    totals.b = totals.b + floats(sums.b)
    totals.c = totals.c + floats(sums.c)
    totals.d = totals.d + floats(sums.d)
}
#endif
