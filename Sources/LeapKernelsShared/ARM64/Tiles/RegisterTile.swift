#if arch(arm64)

/// Numbers of 8 weight rows by 6 activation rows, in 12 registers. Which lane is whose is a level's business: its
/// `TileRegisters.swift` says how products, factors and sums lie in such a tile, and all that is done to them here is done
/// lane by lane.
typealias RegisterTile<Vector> = (
    Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector
)

/// A tile that is the same in all registers.
@inline(__always)
func registerTile<Vector>(_ vector: Vector) -> RegisterTile<Vector> {
    (vector, vector, vector, vector, vector, vector, vector, vector, vector, vector, vector, vector)
}

/// What `body` makes of the registers of a tile.
@inline(__always)
func map<A, Result>(_ a: RegisterTile<A>, _ body: (A) -> Result) -> RegisterTile<Result> {
    (
        body(a.0), body(a.1), body(a.2), body(a.3), body(a.4), body(a.5),
        body(a.6), body(a.7), body(a.8), body(a.9), body(a.10), body(a.11)
    )
}

/// What `body` makes of the registers of two tiles.
@inline(__always)
func map<A, B, Result>(
    _ a: RegisterTile<A>, _ b: RegisterTile<B>, _ body: (A, B) -> Result
) -> RegisterTile<Result> {
    (
        body(a.0, b.0), body(a.1, b.1), body(a.2, b.2), body(a.3, b.3), body(a.4, b.4), body(a.5, b.5),
        body(a.6, b.6), body(a.7, b.7), body(a.8, b.8), body(a.9, b.9), body(a.10, b.10), body(a.11, b.11)
    )
}

/// What `body` makes of the registers of three tiles.
@inline(__always)
func map<A, B, C, Result>(
    _ a: RegisterTile<A>, _ b: RegisterTile<B>, _ c: RegisterTile<C>, _ body: (A, B, C) -> Result
) -> RegisterTile<Result> {
    (
        body(a.0, b.0, c.0), body(a.1, b.1, c.1), body(a.2, b.2, c.2), body(a.3, b.3, c.3),
        body(a.4, b.4, c.4), body(a.5, b.5, c.5), body(a.6, b.6, c.6), body(a.7, b.7, c.7),
        body(a.8, b.8, c.8), body(a.9, b.9, c.9), body(a.10, b.10, c.10), body(a.11, b.11, c.11)
    )
}
#endif
