extension SeededRandomNumberGenerator {
    /// Random numbers between −1 and 1.
    public mutating func floats(_ count: Int) -> [Float] {
        (0..<count).map { _ in Float.random(in: -1...1, using: &self) }
    }
}
