/// What is done with vectors of texts. Sums are of double precision and in order, so that results are the same everywhere.
public enum VectorMath {
    /// The vector at length 1; zeros stay zeros.
    public static func normalized(_ vector: [Float]) -> [Float] {
        let length = dot(vector, vector).squareRoot()
        return length > 0 ? vector.map { Float(Double($0) / length) } : vector
    }

    /// The sum of products; of vectors of different lengths, of what both have.
    public static func dot(_ a: [Float], _ b: [Float]) -> Double {
        var sum = 0.0
        for index in 0..<min(a.count, b.count) { sum += Double(a[index]) * Double(b[index]) }
        return sum
    }

    /// The cosine of the angle between two vectors, from -1 to 1; 0 if one is all zeros.
    public static func cosine(_ a: [Float], _ b: [Float]) -> Double {
        let lengths = (dot(a, a) * dot(b, b)).squareRoot()
        return lengths > 0 ? max(-1, min(1, dot(a, b) / lengths)) : 0
    }

    /// How well a document answers a query, each with one vector per token (MaxSim): the sum over the query's tokens of the
    /// largest dot product with a token of the document.
    ///
    /// Source: Khattab and Zaharia 2020, "ColBERT", section 3.3.
    public static func lateInteraction(query: [[Float]], document: [[Float]]) -> Double {
        query.reduce(0) { sum, token in sum + (document.map { dot(token, $0) }.max() ?? 0) }
    }
}
