/// The reference sound of `scripts/fixtures/audio.py`: noise that swells and fades.
public func formulaSound(_ count: Int) -> [Float] {
    (0..<count).map { index in
        let noise = (index * 7919 + index * index / 97) % 2003 - 1001
        let swell = abs(index % 8000 - 4000)
        return Float(noise) / 1001 * (Float(swell) / 8000)
    }
}

/// The sounds in `Fixtures/audio/`.
public struct AudioFixtureArray: Decodable, Sendable {
    /// The first float.
    public let offset: Int
    /// Rows first.
    public let shape: [Int]

    /// The floats, of all that the fixture's file has.
    public func values(of floats: [Float]) -> [Float] {
        Array(floats[offset..<offset + shape.reduce(1, *)])
    }
}
