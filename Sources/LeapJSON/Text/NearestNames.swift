extension Sequence<String> {
    /// The names without repetitions, those first that differ least from a given one, regardless of case.
    package func nearest(to name: String) -> [String] {
        let wanted = name.lowercased()
        return distances { EditDistance.between($0.lowercased(), wanted) }.sorted(by: <).map(\.name)
    }

    /// The name that was probably meant by another: it differs in the fewest places, and in few for the other's length.
    package func closest(to name: String) -> String? {
        let tolerance = Swift.max(1, name.count / 3)
        return distances { EditDistance.between($0, name) }.filter { $0.distance <= tolerance }.min(by: <)?.name
    }

    private func distances(by distance: (String) -> Int) -> [(distance: Int, name: String)] {
        Set(self).map { (distance: distance($0), name: $0) }
    }
}
