/// Unguessable ids for answers and calls.
enum Identifier {
    private static let letters = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

    /// A prefix and 24 random letters and digits.
    static func make(_ prefix: String) -> String {
        var generator = SystemRandomNumberGenerator()
        return prefix + String((0..<24).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] })
    }
}
