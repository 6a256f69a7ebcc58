import LeapBlocks
import LeapKernelsPortable
import Testing

@testable import LeapKernels

/// Kernel tables that improve on a base table, with functions that are never called.
@Suite("Kernel tables over a base")
struct KernelTableTests {
    /// A function that a level may replace, and a table that replaces it in a base.
    struct Improvement: Sendable, CustomTestStringConvertible {
        let name: String
        let over: @Sendable (KernelTable) -> KernelTable

        var testDescription: String { name }
    }

    static let improvements = [
        Improvement(name: "Q4_K dot") { $0.improved(to: .neon, dot: { $0 == .Q4_K ? otherDot : nil }) },
        Improvement(name: "Q4_K dequantize") {
            $0.improved(to: .neon, dequantize: { $0 == .Q4_K ? otherDequantize : nil })
        },
        Improvement(name: "Q8_K quantize") { $0.improved(to: .neon, quantize: { $0 == .Q8_K ? otherQuantize : nil }) },
        Improvement(name: "Q4_K tiles") {
            $0.improved(to: .neon, tiles: { $0 == .Q4_K ? otherTiles(shape, .Q8_K) : nil })
        },
        Improvement(name: "add") {
            $0.improved(to: .neon, floats: { FloatKernels(over: $0, add: { _, _, _ in }) })
        },
        Improvement(name: "toHalf") {
            $0.improved(to: .neon, floats: { FloatKernels(over: $0, toHalf: { _, _, _ in }) })
        },
        Improvement(name: "peak of bytes") {
            let bytes = PeakKernel(multiplyAddsPerRound: 1) { _, _ in 2 }
            return $0.improved(to: .neon, peaks: PeakKernels(floats: $0.peaks.floats, bytes: bytes))
        },
    ]

    @Test("a table has the base's functions except the one that it improves", arguments: improvements)
    func one(improvement: Improvement) {
        let table = improvement.over(portableTable)
        #expect(table.level == .neon)
        #expect(table.differences(from: portableTable) == [improvement.name])
        #expect(table.functions.count >= portableTable.functions.count)
    }

    @Test("a table without improvements has the base's functions", arguments: Kernels.available.map(\.level))
    func nothing(level: KernelLevel) throws {
        let base = try kernels(level)
        let table = base.improved(to: .neon)
        #expect(table.level == .neon)
        #expect(table.differences(from: base) == [])
        #expect(table.peaks.floats.multiplyAddsPerRound == base.peaks.floats.multiplyAddsPerRound)
    }

    @Test("tables can be stacked")
    func several() {
        let table = Self.improvements.reduce(portableTable) { $1.over($0) }
        #expect(table.differences(from: portableTable) == Set(Self.improvements.map(\.name)))
    }

    @Test("a table may multiply tiles that its base packs and unpacks")
    func retiled() throws {
        let base = portableTable.improved(to: .neon, tiles: { $0 == .Q4_K ? otherTiles(shape, .Q8_K) : nil })
        let table = base.improved(
            to: .x86V3,
            retile: { tiles, type in type == .Q4_K ? tiles.with { _, _, _, _, sums in sums[0] = 1 } : tiles })
        #expect(table.differences(from: base) == ["Q4_K tiles"])
        let (tiles, others) = try (#require(table[.Q4_K]?.tiles), #require(base[.Q4_K]?.tiles))
        #expect(address(tiles.pack) == address(others.pack))
        #expect(address(tiles.unpack) == address(others.unpack))
    }

    @Test("every level has all types of the portable table, including types that only it supports")
    func newType() throws {
        let type = GGMLType.IQ2_XS
        try #require(portableTable[type] == nil)
        let base = portableTable.improved(
            to: .portable, dequantize: { $0 == type ? otherDequantize : nil }, dot: { $0 == type ? otherDot : nil })
        let tables = Kernels.levels(over: base)
        #expect(tables.map(\.level) == Kernels.available.map(\.level))
        for (table, known) in zip(tables, Kernels.available) {
            #expect(address(try #require(table[type]).dot) == address(otherDot))
            #expect(table[type]?.tiles == nil)
            #expect(table.differences(from: known) == ["\(type) dot", "\(type) dequantize"], "\(table.level)")
        }
    }

    @Test("a type with only some of its functions is not supported")
    func half() {
        let table = portableTable.improved(to: .neon, dot: { $0 == .IQ2_XS ? otherDot : nil })
        #expect(table[.IQ2_XS] == nil)
        #expect(table.differences(from: portableTable) == [])
    }

    @Test("every level has its own functions for everything that it is compiled for", arguments: pairs)
    func own(level: KernelLevel, below: KernelLevel) throws {
        let (table, base) = try (kernels(level), kernels(below))
        let inherited = Set(base.functions.keys).subtracting(table.differences(from: base))
        let newTypes = weightTypes.filter { !improvedTypes.contains($0) }
        #expect(inherited.filter { name in !newTypes.contains { name.hasPrefix("\($0) ") } } == [])
    }

    /// Every level and the one below it, except for levels with only a few additional instructions.
    static let pairs = zip(Kernels.available, Kernels.available.dropFirst()).map { ($0.level, $1.level) }
        .filter { $0.0 != .x86V3VNNI }

    @Test(
        "the AVX-VNNI level replaces only the tile products of integer types, and the peaks",
        .enabled(if: Kernels.table(for: .x86V3VNNI) != nil, "this CPU has no AVX-VNNI"))
    func products() throws {
        let (table, base) = try (kernels(.x86V3VNNI), kernels(.x86V3))
        let products = improvedTypes.filter { $0 != .F32 }.map { "\($0) tiles" }
        #expect(table.differences(from: base) == Set(products + ["peak of floats", "peak of bytes"]))
    }
}

/// Tiles of a base and of the level over it.
@Suite("Tiles of a table over a base")
struct TilesOverABaseTests {
    @Test("the base's tiles are kept if they have the same size and another packed form")
    func kept() {
        let table = base.improved(to: .neon, tiles: { $0 == .Q4_K ? otherTiles(shape, .Q8_K) : nil })
        #expect(table[.F32]?.tiles?.form == .floats)
        #expect(table[.Q4_0]?.tiles?.form == .Q8_0)
        #expect(table.differences(from: base) == ["Q4_K tiles", "Q6_K tiles"])
    }

    @Test("the base's tiles are dropped for types whose packed form the level redefines")
    func form() {
        let table = base.improved(to: .neon, tiles: { $0 == .Q4_K ? otherTiles(shape, .Q8_K) : nil })
        #expect(table[.Q4_K]?.tiles?.form == .Q8_K)
        #expect(table[.Q6_K]?.tiles == nil)
        #expect(table[.Q6_K] != nil)
    }

    @Test("the base's tiles are dropped if the level's have another size")
    func shapes() {
        let wide = TileShape(weightRows: 32, activationRows: 6)
        let table = base.improved(to: .neon, tiles: { $0 == .Q4_K ? otherTiles(wide, .Q8_K) : nil })
        for type in weightTypes { #expect((table[type]?.tiles != nil) == (type == .Q4_K), "\(type)") }
        #expect(table[.Q4_K]?.tiles?.shape == wide)
    }

    private var base: KernelTable {
        portableTable.improved(to: .portable, tiles: baseTiles)
    }

    private func baseTiles(of type: GGMLType) -> TileKernels? {
        switch type {
        case .F32: firstTiles(shape, .floats)
        case .Q4_0: firstTiles(shape, .Q8_0)
        case .Q4_K, .Q6_K: firstTiles(shape, .Q8_K)
        default: nil
        }
    }
}

private let shape = TileShape(weightRows: 16, activationRows: 6)

private let otherDot: DotKernel = { _, _, _, _, _, _, _, _, _ in }
private let otherDequantize: DequantizeKernel = { _, _, _ in }
private let otherQuantize: QuantizeKernel = { _, _, _ in }

private func firstTiles(_ shape: TileShape, _ form: PackedForm) -> TileKernels {
    tiles(shape, form) { _, _, _, _, _ in }
}

private func otherTiles(_ shape: TileShape, _ form: PackedForm) -> TileKernels {
    tiles(shape, form) { _, _, _, _, tile in
        tile.storeBytes(of: 1, as: UInt8.self)  // a unique body, so that functions are not merged
    }
}

private func tiles(_ shape: TileShape, _ form: PackedForm, unpack: @escaping UnpackKernel) -> TileKernels {
    TileKernels(
        shape: shape, slabColumns: 256, weightTileBytes: 64, activationTileBytes: 64, form: form,
        pack: { _, _, _, _, _ in }, unpack: unpack, multiply: { _, _, _, _, _ in })
}
