import LeapBlocks

/// The reference dot product of one row of weights with one quantised row, decoded element by element, in doubles.
struct ReferenceDot {
    /// The dot product.
    private(set) var value = 0.0
    /// The sum of the magnitudes of all terms.
    private(set) var magnitude = 0.0
    /// The largest magnitudes of a weight and of an activation in every 16 columns.
    private var largest: [(weight: Double, x: Double)] = []

    init(_ type: GGMLType, _ weights: UnsafeRawPointer, _ activations: UnsafeRawPointer, blocks: Int) {
        largest = Array(repeating: (0, 0), count: (blocks * type.elementsPerBlock + 15) / 16)
        guard let activationType = type.activationType, let activationBlock = activationType.block else { return }
        for block in 0..<blocks {
            let weight = weights + block * type.bytesPerBlock
            let activation = activations + block * activationType.bytesPerBlock
            let x = activationBlock.values(at: activation, blocks: 1)
            for i in 0..<type.elementsPerBlock {
                let (scaled, offset) = type.parts(of: weight, i)
                add(scaled * Double(x[i]))
                let group = (block * type.elementsPerBlock + i) / 16
                largest[group].weight = max(largest[group].weight, abs(scaled + offset))
                largest[group].x = max(largest[group].x, Double(abs(x[i])))
                // Q8_1 stores its rounded sum, by which the minimum is multiplied.
                if activationType == .Q8_1 {
                    magnitude += abs(offset * Double(x[i]))
                } else {
                    add(offset * Double(x[i]))
                }
            }
            if activationType == .Q8_1 {
                add(type.parts(of: weight, 0).offset * Double(BlockQ8_1(activation).sum))
            }
        }
    }

    private mutating func add(_ term: Double) {
        value += term
        magnitude += abs(term)
    }

    /// The permitted error of a kernel's result. Every term passes through at most one product of scales, one
    /// conversion of an integer, one product with it, one subtraction of a minimum, and as many additions as there are
    /// blocks (elements for plain floats) and lanes, of which a level has at most 16 in at most 4 vectors. Each rounds
    /// by at most 2⁻²⁴ of the magnitudes that it has summed.
    func bound(additions: Int) -> Double { Double(additions + 16 + 4 + 8) * 0x1p-24 * magnitude }

    /// The permitted error of a product of numbers that are rounded to multiples of at most 2⁻¹² (activations 2⁻¹³) of
    /// the largest in their 16 columns, or of the smallest normal number: each has an error of at most half of that.
    var wordBound: Double {
        largest.reduce(0) { sum, group in
            let weight = max(group.weight * 0x1p-13, 0x1p-127)
            let x = max(group.x * 0x1p-14, 0x1p-127)
            return sum + 16 * (weight * group.x + group.weight * x + weight * x)
        }
    }
}

extension GGMLType {
    /// Element `index` of a block as a sum of the part with the quant and the part with the minimum, both exact.
    fileprivate func parts(of block: UnsafeRawPointer, _ index: Int) -> (scaled: Double, offset: Double) {
        func half(_ offset: Int) -> Double {
            Double(Float(halfBits: block.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
        }
        switch self {
        case .Q4_1: return (half(BlockQ4_1.d) * Double(BlockQ4_1(block).quant(at: index)), half(BlockQ4_1.m))
        case .Q5_1: return (half(BlockQ5_1.d) * Double(BlockQ5_1(block).quant(at: index)), half(BlockQ5_1.m))
        case .Q2_K:
            let view = BlockQ2_K(block)
            return (
                half(BlockQ2_K.d) * Double(view.scale(ofGroup: index / 16) * view.quant(at: index)),
                -half(BlockQ2_K.dmin) * Double(view.minimum(ofGroup: index / 16))
            )
        case .Q4_K:
            let view = BlockQ4_K(block)
            return (
                half(BlockQ4_K.d) * Double(view.groups.scale(index / 32) * view.quant(at: index)),
                -half(BlockQ4_K.dmin) * Double(view.groups.minimum(index / 32))
            )
        case .Q5_K:
            let view = BlockQ5_K(block)
            return (
                half(BlockQ5_K.d) * Double(view.groups.scale(index / 32) * view.quant(at: index)),
                -half(BlockQ5_K.dmin) * Double(view.groups.minimum(index / 32))
            )
        default:
            return (self.block.map { Double($0.init(block).value(at: index)) } ?? .nan, 0)
        }
    }
}
