/// Finds the name that was probably meant.
enum Suggestion {
    /// The candidate that differs from `name` in the fewest places, if they are few for its length.
    static func closest(to name: String, among candidates: some Sequence<String>) -> String? {
        let tolerance = max(1, name.count / 3)
        let scored = candidates.map { (distance: distance(name, $0), name: $0) }.filter { $0.distance <= tolerance }
        return scored.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// The number of insertions, deletions and replacements that turn one word into the other (Levenshtein 1966).
    private static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.unicodeScalars.prefix(64))
        let right = Array(right.unicodeScalars.prefix(64))
        var row = Array(0...right.count)
        for (i, scalar) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let replaced = diagonal + (scalar == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
