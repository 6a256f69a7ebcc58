/// A path of the form `…-00001-of-00003.gguf`.
struct ShardName: Equatable {
    /// Everything before `-00001-of-00003.gguf`.
    let prefix: String
    /// The shard's number, from 1.
    let number: Int
    /// The number of shards in the set.
    let count: Int

    /// Five digits.
    static let maximumCount = 99_999

    /// Takes a path apart, or `nil` where it is not a shard's.
    init?(_ path: String) {
        let pattern = /(.*)-([0-9]{5})-of-([0-9]{5})\.gguf/.dotMatchesNewlines()
        guard let match = path.wholeMatch(of: pattern), let number = Int(match.2), let count = Int(match.3),
            (1...max(count, 1)).contains(number)
        else { return nil }
        self.init(prefix: String(match.1), number: number, count: count)
    }

    private init(prefix: String, number: Int, count: Int) {
        self.prefix = prefix
        self.number = number
        self.count = count
    }

    /// Another shard of the same set.
    func shard(_ number: Int) -> ShardName { ShardName(prefix: prefix, number: number, count: count) }

    /// The whole path.
    var path: String { prefix + Self.suffix(number, of: count) }

    /// The end of a shard's name: `-00001-of-00003.gguf`.
    static func suffix(_ number: Int, of count: Int) -> String {
        "-\(fiveDigits(number))-of-\(fiveDigits(count)).gguf"
    }

    private static func fiveDigits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }
}
