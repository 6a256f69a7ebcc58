#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// Queries as integers: the parts of `KeyValueTile.preparedCount` floats.
struct QueryWords {
    let headDimension: Int
    private let start: UnsafeMutablePointer<Float>
    /// The step of each query; the query's integers are multiples of it.
    let steps: UnsafeMutablePointer<Float>
    /// `[queries, headDimension]`
    let rows: UnsafeMutableRawPointer

    @inline(__always)
    init(_ prepared: UnsafeMutablePointer<Float>, _ queries: Int, _ headDimension: Int) {
        self.headDimension = headDimension
        start = prepared
        steps = prepared + 16
        rows = UnsafeMutableRawPointer(steps + ((queries &+ 15) & ~15))
    }

    /// The largest magnitude of all queries' elements; infinity or NaN if one is not finite.
    @inline(__always)
    var largest: Float {
        get { start.pointee }
        nonmutating set { start.pointee = newValue }
    }

    /// The largest integer in queries and keys.
    @inline(__always)
    var limit: Float { Float(Int((Float(0x7FFF_FF00) / Float(headDimension)).squareRoot())) }

    /// Rounds a query.
    @inline(__always)
    func convert(_ source: UnsafePointer<Float>, _ index: Int) {
        let size = magnitude(of: source, headDimension)
        steps[index] = size / limit
        let scale = Lanes(repeating: size > 0 ? limit / size : 0)
        let (whole, target) = (headDimension & ~15, rows + 2 &* index &* headDimension)
        for i in stride(from: 0, to: whole, by: 16) {
            (target + 2 &* i).storeBytes(of: words(load(source + i) * scale), as: Bytes32.self)
        }
        if whole < headDimension {
            // May write past the end of the head; the next query overwrites that.
            let rest = load(source + whole, first: headDimension &- whole)
            (target + 2 &* whole).storeBytes(of: words(rest * scale), as: Bytes32.self)
        }
    }

    @inline(__always)
    private func words(_ numbers: Lanes) -> Bytes32 { _mm512_cvtepi32_epi16(_mm512_cvtps_epi32(numbers)) }
}

/// The layout of a tile in scratch memory, for some queries at a time.
struct WordTile {
    let words: QueryWords
    /// Indices of the queries within the call.
    var range: Range<Int>
    let positions: Int
    let headDimension: Int
    /// `[queries, KeyValueTile.positions]`; a row of scores becomes a row of 16-bit weights in its place.
    let scores: UnsafeMutablePointer<Float>
    /// For every query, the factor that rescales the results of earlier tiles, and the factor of its products with
    /// values.
    let corrections: UnsafeMutablePointer<Float>
    let shares: UnsafeMutablePointer<Float>
    /// `[panels, headDimension / 2, 64, 2]`
    let keys: UnsafeMutableRawPointer
    /// `[positions / 2, valueColumns, 2]`
    let values: UnsafeMutableRawPointer
    /// Elements of a head, padded to whole vectors.
    let valueColumns: Int
    let keySteps: UnsafeMutablePointer<Float>
    let valueSteps: UnsafeMutablePointer<Float>

    @inline(__always)
    var queries: Int { range.count }

    /// Divides up the memory of `KeyValueTile.scratchCount` for this many queries: keys and values take half the space
    /// of floats.
    @inline(__always)
    init(
        _ words: QueryWords, _ queries: Int, positions: Int, headDimension: Int, scratch: UnsafeMutablePointer<Float>
    ) {
        let capacity = min(queries, KeyValueTile.scoredQueries)
        range = 0..<capacity
        self.words = words
        self.positions = positions
        self.headDimension = headDimension
        scores = scratch
        corrections = scores + capacity &* KeyValueTile.positions
        shares = corrections + ((capacity &+ 15) & ~15)
        keySteps = shares + ((capacity &+ 15) & ~15)
        valueColumns = (headDimension &+ 15) & ~15
        valueSteps = keySteps + KeyValueTile.positions
        keys = UnsafeMutableRawPointer(valueSteps + valueColumns)
        values = keys + 2 &* KeyValueTile.positions &* headDimension
    }
}
#endif
