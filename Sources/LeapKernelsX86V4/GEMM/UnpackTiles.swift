#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Weights are unpacked into tiles 16 rows at a time. The bytes with the quants are transposed first, so that a vector
// holds four bytes of every row; then bit fields are extracted from whole vectors, in the same way for all rows.

/// 16 rows of a slab to be unpacked: the first row's first block, the byte stride between rows, the last existing row,
/// the destination of the rows' vectors in the tile, and the columns of the slab.
typealias RowsOfSlab = (
    first: UnsafeRawPointer, stride: Int, last: Int, half: UnsafeMutableRawPointer, columns: Int
)

/// The first block of one of 16 rows. The last row stands in for rows beyond it.
@inline(__always)
func source(_ row: Int, _ rows: RowsOfSlab) -> UnsafeRawPointer { rows.first + min(row, rows.last) &* rows.stride }

/// Unpacks a slab; see `UnpackKernel`.
///
/// - Parameters:
///   - groupSize: 16 or 32, or 256 where the quants are multiplied by their groups' scales.
///   - isPaired: Whether two groups are multiplied together; the second of them starts 2¹⁵ higher.
///   - unpack: Writes the quants and factors of 16 rows.
@inline(__always)
func unpackTile(
    _ operands: SlabOperands, groupSize: Int, isPaired: Bool = false, unpack: (RowsOfSlab) -> Void
) {
    for half in 0..<2 {
        // If rows 16 … 31 do not exist, the last row stands in for all of them.
        let first = min(16 &* half, operands.rows &- 1)
        let place = operands.tile + 64 &* half
        unpack(
            (
                operands.source + first &* operands.stride, operands.stride, operands.rows &- 1 &- first, place,
                operands.columns
            ))
        setStarts(
            place, groups: operands.columns / groupSize, quadsPerGroup: groupSize / 4, oddStart: isPaired ? 0x8000 : 0)
    }
}

/// `−128 · Σ q` for every group, plus `oddStart` for every second one.
@inline(__always)
private func setStarts(_ half: UnsafeMutableRawPointer, groups: Int, quadsPerGroup: Int, oddStart: Int64) {
    for group in 0..<groups {
        let quads = half + group &* quadsPerGroup &* weightVectors
        var sums = Bytes64()
        for quad in 0..<quadsPerGroup { sums = addProducts(sums, splat(128), bytes64(quads + quad &* weightVectors)) }
        let start = oddStart &* Int64(group & 1)
        store(_mm512_sub_epi32(splat32(start, start), sums), to: half + (WeightTile.starts &+ group &* weightVectors))
    }
}

/// Stores four columns of 16 rows.
@inline(__always)
func setQuad(_ index: Int, _ quants: Bytes64, _ rows: RowsOfSlab) {
    store(quants, to: rows.half + index &* weightVectors)
}

/// Four columns of 16 rows that are already stored.
@inline(__always)
func storedQuad(_ index: Int, _ rows: RowsOfSlab) -> Bytes64 { bytes64(rows.half + index &* weightVectors) }

@inline(__always)
func store(_ bytes: Bytes64, to destination: UnsafeMutableRawPointer) {
    destination.storeBytes(of: bytes, as: Bytes64.self)
}

// MARK: - Factors

/// Stores scales of the quants, which `scales` returns for a row: of its first lanes, `count`.
@inline(__always)
func setScales(_ rows: RowsOfSlab, count: Int, _ scales: (_ block: UnsafeRawPointer) -> Bytes64) {
    transpose {
        scales(source($0, rows))
    } _: { word, scales in
        guard word < count else { return }
        store(scales, to: rows.half + (WeightTile.scales &+ word &* weightVectors))
    }
}

/// Replaces the stored quants of four groups of 16 by what `product` returns for them and their group's scale.
///
/// - Parameters:
///   - groups: The index of the first.
///   - scales: One byte of every lane for each of the four.
///   - product: Receives the quants of four columns, and the scale as two 16-bit numbers in every lane.
@inline(__always)
func scaleQuads(
    _ groups: Int, _ scales: Bytes64, _ rows: RowsOfSlab, _ product: (_ quants: Bytes64, _ scale: Bytes64) -> Bytes64
) {
    for index in 0..<4 {
        let scale = _mm512_shuffle_epi8(scales, inEveryLane(0x8000_8000 &+ Int64(index) &* 0x0001_0001))
        for quad in 4 &* (groups &+ index)..<4 &* (groups &+ index &+ 1) {
            setQuad(quad, product(storedQuad(quad, rows), scale), rows)
        }
    }
}

/// The indices of two bytes of a 32-bit lane, for all lanes: each lane's are those of the previous lane plus 4.
@inline(__always)
func inEveryLane(_ places: Int64) -> Bytes64 {
    let next = Int64(0x0004_0004)
    return inEveryQuarter(
        Bytes16(places | (places &+ next) &<< 32, (places &+ 2 &* next) | (places &+ 3 &* next) &<< 32))
}

// MARK: - Quants of blocks of 256

/// 128 bytes of 4-bit quants: for each 32 bytes, first the low nibbles, then the high nibbles.
@inline(__always)
func setNibblePairs(_ rows: RowsOfSlab, qs: Int) {
    for part in 0..<2 {
        transpose {
            bytes64(source($0, rows) + (qs &+ 64 &* part))
        } _: { word, bytes in
            let quad = 32 &* part &+ 16 &* (word / 8) &+ word % 8
            setQuad(quad, lowNibbles(bytes), rows)
            setQuad(quad &+ 8, highNibbles(bytes), rows)
        }
    }
}

/// 64 bytes of 2-bit quants: for each 32 bytes, first the lowest two bits of all, then the next two, and so on.
@inline(__always)
func setBitPairs(_ rows: RowsOfSlab, qs: Int) {
    transpose {
        bytes64(source($0, rows) + qs)
    } _: { word, bytes in
        let quad = 32 &* (word / 8) &+ word % 8
        setQuad(quad, bytes & splat(3), rows)
        setQuad(quad &+ 8, _mm512_srli_epi16(bytes, 2) & splat(3), rows)
        setQuad(quad &+ 16, _mm512_srli_epi16(bytes, 4) & splat(3), rows)
        setQuad(quad &+ 24, _mm512_srli_epi16(bytes, 6) & splat(3), rows)
    }
}

/// 32 bytes of additional bits: bit `g` of byte `l` belongs to element `l` of the `g`-th 32. Adds a number to the
/// quants whose bit is set, and subtracts the zero point from all.
@inline(__always)
func addUpperBits(_ rows: RowsOfSlab, bits: Int, number: UInt8, zero: UInt8) {
    // The upper half of the vectors is not needed: 8 words hold all the bits.
    transpose {
        _mm512_castsi256_si512(bytes32(source($0, rows) + bits))
    } _: { quad, high in
        guard quad < 8 else { return }
        for group in 0..<8 {
            let index = 8 &* group &+ quad
            let quants = add(number, to: storedQuad(index, rows), where: high, hasBit: group)
            setQuad(index, subtract(zero, from: quants), rows)
        }
    }
}

// MARK: - Fields of bits

/// The lower four bits of every byte.
@inline(__always)
func lowNibbles(_ bytes: Bytes64) -> Bytes64 { bytes & splat(15) }

/// The upper four bits of every byte.
@inline(__always)
func highNibbles(_ bytes: Bytes64) -> Bytes64 { _mm512_srli_epi16(bytes, 4) & splat(15) }

/// Adds a number where the bit of a byte is set.
@inline(__always)
func add(_ number: UInt8, to low: Bytes64, where bytes: Bytes64, hasBit bit: Int) -> Bytes64 {
    _mm512_mask_add_epi8(
        low, _mm512_test_epi8_mask(bytes, splat(1 &<< UInt8(truncatingIfNeeded: bit))), low, splat(number))
}

/// Subtracts the zero point from unsigned quants.
@inline(__always)
func subtract(_ zero: UInt8, from quants: Bytes64) -> Bytes64 { _mm512_sub_epi8(quants, splat(zero)) }
#endif
