/// A path of the form `…-00001-of-00003.gguf`: one file of a split set.
package struct ShardName: Equatable {
    /// Everything before `-00001-of-00003.gguf`.
    package let prefix: String
    /// The shard's number, from 1.
    package let number: Int
    /// The number of shards in the set.
    package let count: Int

    /// Five digits.
    static let maximumCount = 99_999

    /// Takes a path apart, or `nil` if it is not a shard's.
    ///
    /// Only its last bytes are looked at, because this is asked of every file of a repository.
    package init?(_ path: String) {
        let length = Self.suffix(1, of: 1).utf8.count
        let suffix = Array(path.utf8.suffix(length))
        guard suffix.count == length, let number = Self.number(suffix[1..<6]), let count = Self.number(suffix[10..<15]),
            number >= 1, number <= count, Self.suffix(number, of: count).utf8.elementsEqual(suffix)
        else { return nil }
        self.init(prefix: String(Substring(path.utf8.dropLast(length))), number: number, count: count)
    }

    private init(prefix: String, number: Int, count: Int) {
        self.prefix = prefix
        self.number = number
        self.count = count
    }

    /// Another shard of the same set.
    func shard(_ number: Int) -> ShardName { ShardName(prefix: prefix, number: number, count: count) }

    /// The whole path.
    package var path: String { prefix + Self.suffix(number, of: count) }

    /// The paths of all shards of the set, in order.
    package var all: [String] { (1...count).map { shard($0).path } }

    /// The end of a shard's name: `-00001-of-00003.gguf`.
    static func suffix(_ number: Int, of count: Int) -> String {
        "-\(fiveDigits(number))-of-\(fiveDigits(count)).gguf"
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? { Int(String(decoding: digits, as: UTF8.self)) }

    private static func fiveDigits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }
}
