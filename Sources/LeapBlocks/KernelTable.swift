/// The functions of one CPU level: those that it improves, and those of the level below for the rest.
///
/// The table is the whole interface between operations and kernels. Every function keeps the same contract: no
/// allocation, no threads, no locks, no globals, no error path; inputs are validated one level up; nothing outside the
/// operands is read or written. Functions are C function pointers, which cost neither a context nor a reference count.
public struct KernelTable: Sendable {
    /// The level; functions that it does not improve were compiled for a level below.
    public let level: KernelLevel

    /// Functions for rows of 32-bit floats.
    public let floats: FloatKernels

    /// The peak arithmetic rates of this level, for tools.
    public let peaks: PeakKernels

    private let blockKernels: [BlockKernels?]
    private let quantizers: [QuantizeKernel?]

    /// Makes a complete table: the portable one, from which other tables are derived by
    /// ``improved(to:floats:peaks:dequantize:dot:tiles:quantize:retile:)``.
    ///
    /// A level selects its functions in a `switch` instead of a dictionary: generic code of the standard library would
    /// be compiled into the level with the level's instructions, under a symbol that the whole program shares.
    ///
    /// - Parameters:
    ///   - peaks: Loops of pure arithmetic.
    ///   - dequantize: The function that dequantises blocks of a weight type to floats.
    ///   - dot: Dot products with a weight type. A type either has both functions or is not in the table.
    ///   - tiles: Products of many rows with a weight type, if there are any.
    ///   - quantize: The function for an activation type (`Q8_0`, `Q8_1`, `Q8_K`).
    public init(
        level: KernelLevel, floats: FloatKernels, peaks: PeakKernels, dequantize: (GGMLType) -> DequantizeKernel?,
        dot: (GGMLType) -> DotKernel?, tiles: ((GGMLType) -> TileKernels?)? = nil,
        quantize: (GGMLType) -> QuantizeKernel?
    ) {
        self.level = level
        self.floats = floats
        self.peaks = peaks
        let size = Int(GGMLType.allCases.map { $0.rawValue }.max() ?? 0) + 1
        let types = (0..<size).map { GGMLType(rawValue: UInt32($0)) }
        self.blockKernels = types.map { type in
            guard let type, let dequantize = dequantize(type), let dot = dot(type) else { return nil }
            return BlockKernels(dequantize: dequantize, dot: dot, tiles: tiles?(type))
        }
        self.quantizers = types.map { $0.flatMap(quantize) }
    }

    /// Functions for weights of a type, or `nil` if the type's arithmetic is not implemented.
    public subscript(type: GGMLType) -> BlockKernels? { blockKernels[Int(type.rawValue)] }

    /// The function that quantises a row of floats to an activation type; `nil` for `F32`, which needs none.
    public func quantizer(to type: GGMLType) -> QuantizeKernel? { quantizers[Int(type.rawValue)] }
}

// MARK: - Levels over a base

extension KernelTable {
    /// A level's table on top of this one: the functions that the level improves, and this table's for the rest.
    ///
    /// Functions can be replaced one by one, because the data that they exchange have layouts that do not depend on the
    /// level: blocks, rows of floats, tiles of the cache. Only tiles of products have level-specific layouts: a base's
    /// tiles are kept if they fit the level's, see ``TileShape`` and ``PackedForm``.
    ///
    /// This is a method instead of an initialiser that takes the base, for which a level would copy the base by
    /// functions whose weak symbols all levels would share.
    ///
    /// - Parameters:
    ///   - floats: Makes the level's functions from those below, like ``FloatKernels`` over others. Not an optional
    ///     value, because copying one would also use weak symbols.
    ///   - peaks: `nil` if there is nothing better.
    ///   - dequantize, dot, tiles, quantize: As in the initialiser, for the types that the level improves.
    ///   - retile: Adapts this table's tiles by ``TileKernels/with(unpack:multiply:)``: for a level that packs rows as
    ///     this one does.
    public func improved(
        to level: KernelLevel, floats: (FloatKernels) -> FloatKernels = { $0 }, peaks: PeakKernels? = nil,
        dequantize: ((GGMLType) -> DequantizeKernel?)? = nil, dot: ((GGMLType) -> DotKernel?)? = nil,
        tiles: ((GGMLType) -> TileKernels?)? = nil, quantize: ((GGMLType) -> QuantizeKernel?)? = nil,
        retile: ((TileKernels, GGMLType) -> TileKernels)? = nil
    ) -> KernelTable {
        let ownTiles = GGMLType.allCases.compactMap { tiles?($0) }
        return KernelTable(
            level: level, floats: floats(self.floats), peaks: peaks ?? self.peaks,
            dequantize: { dequantize?($0) ?? self[$0]?.dequantize },
            dot: { dot?($0) ?? self[$0]?.dot },
            tiles: { type in
                let base = self[type]?.tiles?.fitting(beside: ownTiles)
                return tiles?(type) ?? base.map { retile?($0, type) ?? $0 }
            },
            quantize: { quantize?($0) ?? quantizer(to: $0) })
    }
}

/// Functions for weights of one type.
public struct BlockKernels: Sendable {
    /// Dequantises blocks to floats.
    public let dequantize: DequantizeKernel
    /// Dot products of weight rows with quantised activation rows.
    public let dot: DotKernel
    /// Products with many activation rows; `nil` if the level has no faster way than dequantising.
    public let tiles: TileKernels?

    /// Groups the functions of one type.
    public init(dequantize: @escaping DequantizeKernel, dot: @escaping DotKernel, tiles: TileKernels?) {
        self.dequantize = dequantize
        self.dot = dot
        self.tiles = tiles
    }
}

/// Writes the values of `blocks` consecutive blocks, exactly: `dequantize(source, destination, blocks)`.
/// No alignment is assumed of `source`.
public typealias DequantizeKernel =
    @convention(c) (
        _ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int
    ) -> Void

/// Quantises `blocks` blocks of a row: `quantize(source, destination, blocks)`, with
/// `blocks × elementsPerBlock` floats in and `blocks × bytesPerBlock` bytes out.
public typealias QuantizeKernel =
    @convention(c) (
        _ source: UnsafePointer<Float>, _ destination: UnsafeMutableRawPointer, _ blocks: Int
    ) -> Void

/// Dot products of every weight row with every activation row:
///
///     output[c · outputStride + r] = Σ_k weights[r][k] · activations[c][k]    for r < rows, c < columns
///
/// `blocks` counts blocks of the weight type in a row (elements for `F32`, `F16`, `BF16`). Strides of `weights` and
/// `activations` are bytes from one row to the next; `outputStride` is floats. Activations have the weight type's
/// `activationType` and are contiguous within a row. No alignment is assumed of weights or activations.
public typealias DotKernel =
    @convention(c) (
        _ weights: UnsafeRawPointer, _ weightStride: Int, _ rows: Int,
        _ activations: UnsafeRawPointer, _ activationStride: Int, _ columns: Int,
        _ blocks: Int,
        _ output: UnsafeMutablePointer<Float>, _ outputStride: Int
    ) -> Void
