/// The edit distance between two words.
enum EditDistance {
    /// The maximum length that is compared: names are not longer, and this bounds the cost of hostile ones.
    private static let longest = 256

    /// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one word into the
    /// other (optimal string alignment; Damerau 1964). Takes time proportional to the product of their lengths.
    static func between(_ left: String, _ right: String) -> Int {
        let left = Array(left.unicodeScalars.prefix(longest))
        let right = Array(right.unicodeScalars.prefix(longest))
        var (beforeLast, last) = ([Int](), Array(0...right.count))
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var best = min(last[j] + (left[i] == right[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
