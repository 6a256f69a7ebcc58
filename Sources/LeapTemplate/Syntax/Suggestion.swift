/// Finds the name that was probably meant.
package enum Suggestion {
    /// The candidate that differs from `name` in the fewest places, if they are few for its length.
    package static func closest(to name: String, among candidates: some Sequence<String>) -> String? {
        let tolerance = max(1, name.count / 3)
        let scored = candidates.map { (distance: distance(name, $0), name: $0) }.filter { $0.distance <= tolerance }
        return scored.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other
    /// (optimal string alignment; Damerau 1964).
    private static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.unicodeScalars.prefix(64))
        let right = Array(right.unicodeScalars.prefix(64))
        var rows = [Array(0...right.count)]
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var best = rows[i][j] + (left[i] == right[j] ? 0 : 1)
                best = min(best, rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
