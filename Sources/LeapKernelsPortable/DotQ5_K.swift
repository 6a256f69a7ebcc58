internal import LeapBlocks

let dotQ5_K: DotKernel = {
    dotBlocks(BlockQ5_K.self, BlockQ8_K.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ (d scale q − dmin min) · d′ q′ = d d′ Σ scale q q′ − dmin d′ Σ min Σ q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockQ5_K.d) * floatAt(activation + BlockQ8_K.d)
    let dmin = loadHalf(weight + BlockQ5_K.dmin) * floatAt(activation + BlockQ8_K.d)
    let groups = unpackedSixBitScales(weight + BlockQ5_K.scales)
    var firstFifths = words(weight + BlockQ5_K.qh)
    var secondFifths = words(weight + BlockQ5_K.qh + 16)
    var sum = SIMD4<Int32>(repeating: 0)
    for pair in 0..<4 {
        let first = words(weight + BlockQ5_K.qs + 32 * pair)
        let second = words(weight + BlockQ5_K.qs + 32 * pair + 16)
        let low =
            dot(fiveBits(first, 0, firstFifths, 0), activations(activation, 64 * pair))
            &+ dot(fiveBits(second, 0, secondFifths, 0), activations(activation, 64 * pair + 16))
        let high =
            dot(fiveBits(first, 4, firstFifths, 1), activations(activation, 64 * pair + 32))
            &+ dot(fiveBits(second, 4, secondFifths, 1), activations(activation, 64 * pair + 48))
        sum = sum &+ sums(low, times: Int16(byte(2 * pair, of: groups.scales)))
        sum = sum &+ sums(high, times: Int16(byte(2 * pair + 1, of: groups.scales)))
        // Shifts the next pair's bits into place; bits shifted in from the neighbouring byte are masked away.
        firstFifths = firstFifths &>> 2
        secondFifths = secondFifths &>> 2
    }
    let minima = Float(dotMinima(groups.minima, activation))
    return Lanes(sum) * d - Lanes(dmin * minima, 0, 0, 0)
}

/// Four bits from bit `shift` on, with bit `fifth` of the fifth bits above them.
@inline(__always)
private func fiveBits(_ low: Words, _ shift: Int, _ fifths: Words, _ fifth: Int) -> SplitBytes {
    split(join(bits(low, shift, 15), bits(fifths, fifth, 1), shift: 4))
}
