/// Root-mean-square difference of two arrays of one length.
public func rootMeanSquareError(_ x: some Collection<Float>, _ y: some Collection<Float>) -> Double {
    precondition(x.count == y.count && !x.isEmpty, "\(x.count) values against \(y.count)")
    let sum = zip(x, y).reduce(0.0) { $0 + (Double($1.0) - Double($1.1)) * (Double($1.0) - Double($1.1)) }
    return (sum / Double(x.count)).squareRoot()
}

/// One error for several cases: the root of the mean of their squares.
public func pooledError(_ errors: [Double]) -> Double {
    (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
}

/// Root-mean-square difference of rows and the expected values, relative to those; infinite where their numbers differ.
public func relativeError(_ found: [[Float]], _ expected: [Float]) -> Double {
    let found = found.flatMap(\.self)
    let scale = rootMeanSquareError(expected, [Float](repeating: 0, count: expected.count))
    return found.count == expected.count ? rootMeanSquareError(found, expected) / scale : .infinity
}
