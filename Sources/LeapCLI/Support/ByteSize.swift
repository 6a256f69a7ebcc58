import ArgumentParser

/// A number of bytes as the user types it: `500M`, `10G`, `1.5GiB` or `65536`. Units are powers of 1,024.
struct ByteSize: ExpressibleByArgument {
    let bytes: Int64

    private static let prefixes = ["", "K", "M", "G", "T"]
    private static let spellings = ["", "B", "IB"]

    init?(argument: String) {
        let digits = argument.prefix { $0 == "." || ("0"..."9").contains($0) }
        let unit = argument.dropFirst(digits.count).uppercased()
        guard let number = Double(digits),
            let power = Self.prefixes.firstIndex(where: { prefix in Self.spellings.contains { prefix + $0 == unit } }),
            let bytes = Int64(exactly: (number * Double(Int64(1) << (10 * power))).rounded(.down))
        else { return nil }
        self.bytes = bytes
    }
}
