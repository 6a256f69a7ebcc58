extension Sequence<String> {
    /// Returns the names without duplicates, sorted by their similarity to a given one, ignoring case.
    package func nearest(to name: String) -> [String] {
        let wanted = name.lowercased()
        return distances { EditDistance.between($0.lowercased(), wanted) }.sorted(by: <).map(\.name)
    }

    /// Returns the name that was probably meant by another: the one that differs in the fewest places, provided that
    /// they are few for the length.
    package func closest(to name: String) -> String? {
        let tolerance = Swift.max(1, name.count / 3)
        return distances { EditDistance.between($0, name) }.filter { $0.distance <= tolerance }.min(by: <)?.name
    }

    private func distances(by distance: (String) -> Int) -> [(distance: Int, name: String)] {
        Set(self).map { (distance: distance($0), name: $0) }
    }
}
