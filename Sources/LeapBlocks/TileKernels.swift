// Products of many rows of activations with a weight matrix are computed tile by tile. A tile of weights is a few rows
// by one *slab* of columns, unpacked into the order in which the multiplication reads it; it is small enough to stay in
// the first-level cache while it is multiplied with all tiles of activations.

/// The size of a pair of tiles, in rows; it follows from the CPU's registers. All types of a level have the same shape,
/// because products with several types are computed together.
public struct TileShape: Sendable, Hashable {
    /// Weight rows in a tile.
    public let weightRows: Int
    /// Activation rows in a tile.
    public let activationRows: Int

    /// A shape.
    public init(weightRows: Int, activationRows: Int) {
        self.weightRows = weightRows
        self.activationRows = activationRows
    }
}

/// The layout that a ``PackKernel`` produces. Weight types with the same form share packed rows, so all functions of a form
/// must come from one level.
public enum PackedForm: UInt8, Sendable, Hashable {
    /// The quants of an activation type's blocks.
    case Q8_0, Q8_1, Q8_K
    /// Floats.
    case floats
    /// 16-bit scaled integers.
    case words
}

/// Functions that multiply tiles of weights of one type.
public struct TileKernels: Sendable {
    /// The size of the tiles.
    public let shape: TileShape
    /// Columns of a slab: a multiple of the type's block size. The last slab of a row may have fewer.
    public let slabColumns: Int
    /// Bytes of an unpacked tile of weights; a multiple of 64.
    public let weightTileBytes: Int
    /// Bytes of a packed tile of activations; a multiple of 64.
    public let activationTileBytes: Int
    /// The form of the rows that ``pack`` produces.
    public let form: PackedForm
    /// See ``PackKernel``.
    public let pack: PackKernel
    /// See ``UnpackKernel``.
    public let unpack: UnpackKernel
    /// See ``MultiplyKernel``.
    public let multiply: MultiplyKernel

    /// Groups the functions of one type.
    public init(
        shape: TileShape, slabColumns: Int, weightTileBytes: Int, activationTileBytes: Int,
        form: PackedForm, pack: @escaping PackKernel, unpack: @escaping UnpackKernel, multiply: @escaping MultiplyKernel
    ) {
        self.shape = shape
        self.slabColumns = slabColumns
        self.weightTileBytes = weightTileBytes
        self.activationTileBytes = activationTileBytes
        self.form = form
        self.pack = pack
        self.unpack = unpack
        self.multiply = multiply
    }

    /// These functions with a faster multiplication, of rows that are packed as before.
    ///
    /// - Parameter unpack: `nil` if weights are unpacked as before.
    public func with(unpack: UnpackKernel? = nil, multiply: @escaping MultiplyKernel) -> TileKernels {
        TileKernels(
            shape: shape, slabColumns: slabColumns, weightTileBytes: weightTileBytes,
            activationTileBytes: activationTileBytes, form: form, pack: pack, unpack: unpack ?? self.unpack,
            multiply: multiply)
    }

    /// These functions if they can be in one table with those of another level, i.e. the tiles have the same size and
    /// no form is packed in two ways; otherwise `nil`.
    func fitting(beside others: [TileKernels]) -> TileKernels? {
        others.allSatisfy { $0.shape == shape && $0.form != form } ? self : nil
    }
}

/// Reorders one slab of `rows` rows of quantised activations into a tile: `pack(source, stride, rows, columns, tile)`.
///
/// `source` is the first row's first block of the slab, in the weight type's `activationType`; `stride` is bytes from
/// one row to the next. `rows` is at least 1 and at most ``TileShape/activationRows``; the tile's contents for rows
/// beyond them are undefined, and so are their sums.
public typealias PackKernel =
    @convention(c) (
        _ source: UnsafeRawPointer, _ stride: Int, _ rows: Int, _ columns: Int, _ tile: UnsafeMutableRawPointer
    ) -> Void

/// Unpacks one slab of `rows` weight rows into a tile: `unpack(source, stride, rows, columns, tile)`.
///
/// The same conditions hold as for ``PackKernel``, with ``TileShape/weightRows``.
public typealias UnpackKernel =
    @convention(c) (
        _ source: UnsafeRawPointer, _ stride: Int, _ rows: Int, _ columns: Int, _ tile: UnsafeMutableRawPointer
    ) -> Void

/// Multiplies two tiles over the `columns` of their slab: `multiply(weights, activations, rows, columns, sums)`.
///
///     sums[a][w] += Σ_k weights[w][k] · activations[a][k]
///
/// `sums` is `[activationRows, weightRows]`, contiguous and aligned to 64 bytes, as the tiles are. Only the first `rows` rows
/// of activations are needed, at least 1; the sums of the others are undefined. How many are needed does not change a bit of
/// a row's sums.
public typealias MultiplyKernel =
    @convention(c) (
        _ weights: UnsafeRawPointer, _ activations: UnsafeRawPointer, _ rows: Int, _ columns: Int,
        _ sums: UnsafeMutablePointer<Float>
    ) -> Void
