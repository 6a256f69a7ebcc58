/// Codes above a minimum: `x = scale · code + minimum`, with `code` from 0 to `highest`.
struct OffsetSteps {
    let highest: Float
    /// What a search cuts off the lower and the upper end of the range of values, as shares of it.
    let cuts: [(lower: Float, upper: Float)]
    /// Whether minima above zero cannot be written.
    let keepsZero: Bool

    /// A scale and a minimum.
    struct Line {
        var scale: Float
        var minimum: Float
    }

    @inline(__always)
    func codes(_ x: Lanes, inverse: Float, minimum: Float) -> Lanes {
        rounded(clamped((x - Lanes(repeating: minimum)) * Lanes(repeating: inverse), 0, highest))
    }

    /// Σ w·(x − scale·code − minimum)².
    @inline(__always)
    func error(_ group: WeightedGroup, _ line: Line) -> Float {
        let inverse = line.scale == 0 ? 0 : 1 / line.scale
        var sum = Lanes(repeating: 0)
        for i in stride(from: 0, to: group.count, by: 16) {
            let x = load(group.values + i)
            let code = codes(x, inverse: inverse, minimum: line.minimum)
            let rest = x - Lanes(repeating: line.minimum) - code * Lanes(repeating: line.scale)
            sum += load(group.weights + i) * rest * rest
        }
        return total(sum)
    }

    /// The line with the smallest error that the search finds.
    @inline(__always)
    func line(_ group: WeightedGroup) -> Line {
        var (low, high) = group.range
        if keepsZero { low = min(low, 0) }
        guard high - low > WeightedGroup.negligible else { return Line(scale: 0, minimum: low) }
        let constants = Constants(group)
        // The whole range first: a start for what is cut, and of all others only what is better.
        var (best, gain) = (Line(scale: (high - low) / highest, minimum: low), -Float.infinity)
        for cut in cuts {
            let start = low + cut.lower * (high - low)
            let end = high - cut.upper * (high - low)
            let (line, found) = fit(group, constants, inverse: highest / (end - start), minimum: start)
            if found > gain { (best, gain) = (line, found) }
        }
        for _ in 0..<3 where best.scale > 0 {
            let (line, found) = fit(group, constants, inverse: 1 / best.scale, minimum: best.minimum)
            guard found > gain else { break }
            (best, gain) = (line, found)
        }
        return best
    }

    /// What does not depend on codes.
    struct Constants {
        let weight: Float
        let value: Float

        @inline(__always)
        init(_ group: WeightedGroup) {
            var (weight, value) = (Lanes(repeating: 0), Lanes(repeating: 0))
            for i in stride(from: 0, to: group.count, by: 16) {
                let w = load(group.weights + i)
                weight += w
                value += w * load(group.values + i)
            }
            self.weight = total(weight)
            self.value = total(value)
        }
    }

    /// The best line for the codes of another one, and by how much it lowers Σ w·x².
    @inline(__always)
    func fit(
        _ group: WeightedGroup, _ constants: Constants, inverse: Float, minimum: Float
    ) -> (line: Line, gain: Float) {
        var (code1, code2, valueCode) = (Lanes(repeating: 0), Lanes(repeating: 0), Lanes(repeating: 0))
        for i in stride(from: 0, to: group.count, by: 16) {
            let x = load(group.values + i)
            let code = codes(x, inverse: inverse, minimum: minimum)
            let weighted = load(group.weights + i) * code
            code1 += weighted
            code2 += weighted * code
            valueCode += weighted * x
        }
        let (q, qq, xq) = (total(code1), total(code2), total(valueCode))
        let determinant = constants.weight * qq - q * q
        guard determinant > 0 else { return (Line(scale: 0, minimum: minimum), -Float.infinity) }
        let scale = (constants.weight * xq - constants.value * q) / determinant
        let offset = (constants.value - scale * q) / constants.weight
        guard scale > 0 else { return (Line(scale: 0, minimum: minimum), -Float.infinity) }
        if keepsZero, offset > 0 {
            guard qq > 0, xq > 0 else { return (Line(scale: 0, minimum: minimum), -Float.infinity) }
            return (Line(scale: xq / qq, minimum: 0), xq * xq / qq)
        }
        return (Line(scale: scale, minimum: offset), scale * xq + offset * constants.value)
    }

    /// Writes the code of every value.
    @inline(__always)
    func write(_ group: WeightedGroup, _ line: Line, to destination: UnsafeMutablePointer<UInt8>) {
        let inverse = line.scale == 0 ? 0 : 1 / line.scale
        for i in stride(from: 0, to: group.count, by: 16) {
            let code = codes(load(group.values + i), inverse: inverse, minimum: line.minimum)
            store(integers(code), to: destination + i)
        }
    }
}
