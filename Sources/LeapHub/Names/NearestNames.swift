extension Sequence where Element == String {
    /// The names without repetitions, those first that differ least from a given one, regardless of case.
    package func nearest(to name: String) -> [String] {
        let wanted = Array(name.lowercased().utf8.prefix(256))
        return Set(self).map { (distance: Self.distance(Array($0.lowercased().utf8.prefix(256)), wanted), name: $0) }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .map(\.name)
    }

    /// The number of characters to insert, delete or replace; Levenshtein's distance.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let replaced = diagonal + (x == y ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = Swift.min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[b.count]
    }
}
