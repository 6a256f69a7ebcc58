#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
// The matrix product inside attention: scores are queries times keys, and the output is weights times values. Both
// right-hand sides store their columns contiguously, so that no sum needs a reduction across lanes:
//
//                       columns                       b: [depth, columns], of one of four types
//                      ┌───────┐
//                      │   b   │ depth                A block of `rows × strip` sums stays in registers while the
//               depth  └───────┘                      loop walks down the depth: every vector of b is loaded once
//              ┌─────┐ ┌───────┐                      for up to 6 rows, every number of a is broadcast to a strip
//         rows │  a  │ │   c   │                      of columns.
//              └─────┘ └───────┘

/// A matrix of floats in memory: rows lie `stride` floats apart.
typealias Matrix<Pointer> = (base: Pointer, stride: Int)

/// `c[r][n] ← c[r][n] · factors[r] + Σ_k a[r][k] · b[k][n]`; without `factors` the first term is omitted.
///
/// - Parameters:
///   - a: `[rows, depth]`.
///   - b: `[depth, columns]`, in half precision. Its stride counts elements.
///   - c: `[rows, columns]`.
///   - factors: `rows` floats.
///   - next: What will be read after `b`, in the same layout; it is prefetched meanwhile.
@inline(never)
func multiplyHalves(
    _ a: Matrix<UnsafePointer<Float>>, _ b: Matrix<UnsafeRawPointer>, _ c: Matrix<UnsafeMutablePointer<Float>>,
    factors: UnsafePointer<Float>?, rows: Int, depth: Int, columns: Int, next: UnsafeRawPointer
) {
    Product<UInt16>(a, b, c, factors, rows: rows, depth: depth, next).multiply(columns: columns)
}

/// The same with `b` in bfloat16.
@inline(never)
func multiplyBrainFloats(
    _ a: Matrix<UnsafePointer<Float>>, _ b: Matrix<UnsafeRawPointer>, _ c: Matrix<UnsafeMutablePointer<Float>>,
    factors: UnsafePointer<Float>?, rows: Int, depth: Int, columns: Int, next: UnsafeRawPointer
) {
    Product<BrainFloat>(a, b, c, factors, rows: rows, depth: depth, next).multiply(columns: columns)
}

/// The same with `b` as signed bytes; `columns` is a whole number of vectors.
@inline(never)
func multiplySignedBytes(
    _ a: Matrix<UnsafePointer<Float>>, _ b: Matrix<UnsafeRawPointer>, _ c: Matrix<UnsafeMutablePointer<Float>>,
    factors: UnsafePointer<Float>?, rows: Int, depth: Int, columns: Int, next: UnsafeRawPointer
) {
    Product<Int8>(a, b, c, factors, rows: rows, depth: depth, next).multiply(columns: columns)
}

/// The same with `b` as floats. They come from scratch memory or from a float cache, and are not prefetched.
@inline(never)
func multiplyFloats(
    _ a: Matrix<UnsafePointer<Float>>, _ b: Matrix<UnsafeRawPointer>, _ c: Matrix<UnsafeMutablePointer<Float>>,
    factors: UnsafePointer<Float>?, rows: Int, depth: Int, columns: Int, next: UnsafeRawPointer
) {
    Product<Float>(a, b, c, factors, rows: rows, depth: depth, next).multiply(columns: columns)
}

/// Rows of a block of sums: 6 × 4 vectors of 32 registers, or 6 × 2 of 16; the rest hold a strip of `b` and a
/// broadcast.
@inline(__always)
private var rowsPerBlock: Int { 6 }

private struct Product<Element: ProductElement> {
    let a: Matrix<UnsafePointer<Float>>
    let b: Matrix<UnsafePointer<Element>>
    let c: Matrix<UnsafeMutablePointer<Float>>
    let factors: UnsafePointer<Float>?
    let rows: Int
    let depth: Int
    let next: UnsafeRawPointer

    @inline(__always)
    init(
        _ a: Matrix<UnsafePointer<Float>>, _ b: Matrix<UnsafeRawPointer>, _ c: Matrix<UnsafeMutablePointer<Float>>,
        _ factors: UnsafePointer<Float>?, rows: Int, depth: Int, _ next: UnsafeRawPointer
    ) {
        self.a = a
        self.b = (b.base.assumingMemoryBound(to: Element.self), b.stride)
        self.c = c
        self.factors = factors
        self.rows = rows
        self.depth = depth
        self.next = next
    }

    /// All columns, as wide strips, single vectors and the remainder.
    @inline(__always)
    func multiply(columns: Int) {
        var column = 0
        if hasManyRegisters {
            while column <= columns - 4 * Lanes.scalarCount {
                strip(FourVectors.self, column, 4 * Lanes.scalarCount)
                column += 4 * Lanes.scalarCount
            }
        }
        while column <= columns - 2 * Lanes.scalarCount {
            strip(TwoVectors.self, column, 2 * Lanes.scalarCount)
            column += 2 * Lanes.scalarCount
        }
        while column <= columns - Lanes.scalarCount {
            strip(OneVector.self, column, Lanes.scalarCount)
            column += Lanes.scalarCount
        }
        if column < columns { strip(PartOfVector.self, column, columns - column) }
    }

    /// All rows of a strip of columns, in blocks of nearly equal height.
    @inline(__always)
    private func strip<Columns: Strip>(_: Columns.Type, _ column: Int, _ count: Int) {
        var row = 0
        while row < rows {
            let left = rows - row
            let blocks = (left + rowsPerBlock - 1) / rowsPerBlock
            let height = (left + blocks - 1) / blocks
            switch height {
            case 1: block(Columns.self, 1, row, column, count)
            case 2: block(Columns.self, 2, row, column, count)
            case 3: block(Columns.self, 3, row, column, count)
            case 4: block(Columns.self, 4, row, column, count)
            case 5: block(Columns.self, 5, row, column, count)
            default: block(Columns.self, 6, row, column, count)
            }
            row += height
        }
    }

    /// The sums of up to six rows; `height` is a literal at every call site, so that the sums of unused rows are
    /// optimised away.
    @inline(__always)
    private func block<Columns: Strip>(_: Columns.Type, _ height: Int, _ row: Int, _ column: Int, _ count: Int) {
        let zero = Columns(repeating: 0)
        var (s0, s1, s2, s3, s4, s5) = (zero, zero, zero, zero, zero, zero)
        let a = self.a.base + row * self.a.stride
        let stride = self.a.stride
        var right = b.base + column
        let ahead = next - UnsafeRawPointer(b.base)
        let lines = (Columns.vectors * Lanes.scalarCount * MemoryLayout<Element>.stride + 63) / 64
        for k in 0..<depth {
            let strip = Columns(right, count)
            if Element.isPrefetched {
                for line in 0..<lines { prefetch(UnsafeRawPointer(right) + ahead + 64 * line) }
            }
            right += b.stride
            s0.add(a[k], strip)
            if height > 1 { s1.add(a[k + stride], strip) }
            if height > 2 { s2.add(a[k + 2 * stride], strip) }
            if height > 3 { s3.add(a[k + 3 * stride], strip) }
            if height > 4 { s4.add(a[k + 4 * stride], strip) }
            if height > 5 { s5.add(a[k + 5 * stride], strip) }
        }
        finish(s0, row, column, count)
        if height > 1 { finish(s1, row + 1, column, count) }
        if height > 2 { finish(s2, row + 2, column, count) }
        if height > 3 { finish(s3, row + 3, column, count) }
        if height > 4 { finish(s4, row + 4, column, count) }
        if height > 5 { finish(s5, row + 5, column, count) }
    }

    @inline(__always)
    private func finish<Columns: Strip>(_ sums: Columns, _ row: Int, _ column: Int, _ count: Int) {
        var sums = sums
        let target = c.base + row * c.stride + column
        if let factors { sums.add(factors[row], Columns(UnsafePointer(target), count)) }
        sums.write(to: target, count)
    }
}

// MARK: - Elements

/// The element type of the right-hand side.
private protocol ProductElement {
    static var isPrefetched: Bool { get }
    static func lanes(_ source: UnsafePointer<Self>) -> Lanes
    static func lanes(_ source: UnsafePointer<Self>, first count: Int) -> Lanes
}

extension UInt16: ProductElement {
    @inline(__always)
    static var isPrefetched: Bool { true }
    @inline(__always)
    static func lanes(_ source: UnsafePointer<UInt16>) -> Lanes { loadHalves(source) }
    @inline(__always)
    static func lanes(_ source: UnsafePointer<UInt16>, first count: Int) -> Lanes { loadHalves(source, first: count) }
}

/// bfloat16.
private struct BrainFloat: ProductElement {
    let bits: UInt16

    @inline(__always)
    static var isPrefetched: Bool { true }
    @inline(__always)
    static func lanes(_ source: UnsafePointer<BrainFloat>) -> Lanes { loadBrainFloats(bits(source)) }
    @inline(__always)
    static func lanes(_ source: UnsafePointer<BrainFloat>, first count: Int) -> Lanes {
        loadBrainFloats(bits(source), first: count)
    }

    @inline(__always)
    private static func bits(_ source: UnsafePointer<BrainFloat>) -> UnsafePointer<UInt16> {
        UnsafeRawPointer(source).assumingMemoryBound(to: UInt16.self)
    }
}

extension Int8: ProductElement {
    @inline(__always)
    static var isPrefetched: Bool { true }
    @inline(__always)
    static func lanes(_ source: UnsafePointer<Int8>) -> Lanes { loadSignedBytes(source) }
    /// Never called: a group of bytes is always whole vectors.
    @inline(__always)
    static func lanes(_ source: UnsafePointer<Int8>, first count: Int) -> Lanes { Lanes(repeating: 0) }
}

extension Float: ProductElement {
    @inline(__always)
    static var isPrefetched: Bool { false }
    @inline(__always)
    static func lanes(_ source: UnsafePointer<Float>) -> Lanes { load(source) }
    @inline(__always)
    static func lanes(_ source: UnsafePointer<Float>, first count: Int) -> Lanes { load(source, first: count) }
}

// MARK: - Strips

/// A piece of a row: several adjacent vectors.
private protocol Strip {
    /// The number of vectors.
    static var vectors: Int { get }
    init(repeating value: Float)
    /// Loads `count` columns from `source`; a strip of whole vectors ignores the count.
    init<Element: ProductElement>(_ source: UnsafePointer<Element>, _ count: Int)
    /// Adds `factor · other`.
    mutating func add(_ factor: Float, _ other: Self)
    func write(to target: UnsafeMutablePointer<Float>, _ count: Int)
}

private struct PartOfVector: Strip {
    @inline(__always)
    static var vectors: Int { 1 }

    var lanes: Lanes

    @inline(__always)
    init(repeating value: Float) { lanes = Lanes(repeating: value) }

    @inline(__always)
    init<Element: ProductElement>(_ source: UnsafePointer<Element>, _ count: Int) {
        lanes = Element.lanes(source, first: count)
    }

    @inline(__always)
    mutating func add(_ factor: Float, _ other: PartOfVector) {
        lanes = multiplyAdd(Lanes(repeating: factor), other.lanes, lanes)
    }

    @inline(__always)
    func write(to target: UnsafeMutablePointer<Float>, _ count: Int) { store(lanes, first: count, to: target) }
}

private struct OneVector: Strip {
    @inline(__always)
    static var vectors: Int { 1 }

    var lanes: Lanes

    @inline(__always)
    init(repeating value: Float) { lanes = Lanes(repeating: value) }

    @inline(__always)
    init<Element: ProductElement>(_ source: UnsafePointer<Element>, _ count: Int) { lanes = Element.lanes(source) }

    @inline(__always)
    mutating func add(_ factor: Float, _ other: OneVector) {
        lanes = multiplyAdd(Lanes(repeating: factor), other.lanes, lanes)
    }

    @inline(__always)
    func write(to target: UnsafeMutablePointer<Float>, _ count: Int) { store(lanes, to: target) }
}

private struct TwoVectors: Strip {
    @inline(__always)
    static var vectors: Int { 2 }

    var first: OneVector
    var second: OneVector

    @inline(__always)
    init(repeating value: Float) {
        first = OneVector(repeating: value)
        second = OneVector(repeating: value)
    }

    @inline(__always)
    init<Element: ProductElement>(_ source: UnsafePointer<Element>, _ count: Int) {
        first = OneVector(source, count)
        second = OneVector(source + Lanes.scalarCount, count)
    }

    @inline(__always)
    mutating func add(_ factor: Float, _ other: TwoVectors) {
        first.add(factor, other.first)
        second.add(factor, other.second)
    }

    @inline(__always)
    func write(to target: UnsafeMutablePointer<Float>, _ count: Int) {
        first.write(to: target, count)
        second.write(to: target + Lanes.scalarCount, count)
    }
}

private struct FourVectors: Strip {
    @inline(__always)
    static var vectors: Int { 4 }

    var first: TwoVectors
    var second: TwoVectors

    @inline(__always)
    init(repeating value: Float) {
        first = TwoVectors(repeating: value)
        second = TwoVectors(repeating: value)
    }

    @inline(__always)
    init<Element: ProductElement>(_ source: UnsafePointer<Element>, _ count: Int) {
        first = TwoVectors(source, count)
        second = TwoVectors(source + 2 * Lanes.scalarCount, count)
    }

    @inline(__always)
    mutating func add(_ factor: Float, _ other: FourVectors) {
        first.add(factor, other.first)
        second.add(factor, other.second)
    }

    @inline(__always)
    func write(to target: UnsafeMutablePointer<Float>, _ count: Int) {
        first.write(to: target, count)
        second.write(to: target + 2 * Lanes.scalarCount, count)
    }
}
#endif
