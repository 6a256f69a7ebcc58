#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Products of three rows of 16-bit integers with a strip of columns, all sums in registers.

/// Four adjacent vectors: 64 columns.
typealias WordStrip<Vector> = (a: Vector, b: Vector, c: Vector, d: Vector)

/// Strips of three rows: as many sums as there are products in flight.
struct ThreeRows<Vector> {
    var row0, row1, row2: WordStrip<Vector>

    @inline(__always)
    init(_ start: Vector) {
        row0 = (start, start, start, start)
        row1 = row0
        row2 = row0
    }

    @inline(__always)
    func visit(_ body: (_ row: WordStrip<Vector>, _ index: Int) -> Void) {
        body(row0, 0)
        body(row1, 1)
        body(row2, 2)
    }
}

/// The products of three rows of 16-bit numbers with a strip of columns, over the given number of pairs:
///
///     Σ_k rows[r][2k] · strips[k][c][0] + rows[r][2k + 1] · strips[k][c][1]
///
/// Strides are bytes.
@inline(__always)
func products(
    _ rows: UnsafeRawPointer, stride rowStride: Int, strips: UnsafeRawPointer, stride stripStride: Int, pairs: Int
) -> ThreeRows<Bytes64> {
    var sums = ThreeRows<Bytes64>(Bytes64(repeating: 0))
    for pair in 0..<pairs {
        let source = strips + pair &* stripStride
        let strip = (bytes64(source), bytes64(source + 64), bytes64(source + 128), bytes64(source + 192))
        let row = rows + 4 &* pair
        addProducts(&sums.row0, row, strip)
        addProducts(&sums.row1, row + rowStride, strip)
        addProducts(&sums.row2, row + 2 &* rowStride, strip)
    }
    return sums
}

/// Accumulates two products in every lane.
@inline(__always)
func addProducts(_ sums: inout WordStrip<Bytes64>, _ pair: UnsafeRawPointer, _ strip: WordStrip<Bytes64>) {
    let x = _mm512_set1_epi32(pair.loadUnaligned(as: Int32.self))
    sums.a = _mm512_dpwssd_epi32(sums.a, x, strip.a)
    sums.b = _mm512_dpwssd_epi32(sums.b, x, strip.b)
    sums.c = _mm512_dpwssd_epi32(sums.c, x, strip.c)
    sums.d = _mm512_dpwssd_epi32(sums.d, x, strip.d)
}
#endif
