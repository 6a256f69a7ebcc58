// Calls a function of an arm64 level some times: the program whose instructions scripts/count-neon counts.

import LeapBlocks
import LeapKernelsNEON
import LeapKernelsPortable

#if LeapKernelsI8MM
import LeapKernelsI8MM
let table = i8mmTable(over: neonTable(over: portableTable))
#else
let table = neonTable(over: portableTable)
#endif

@_extern(c, "getenv")
private func getenv(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar>?

/// The first character of a variable of the environment, and the number that it is.
private func variable(_ name: StaticString) -> (first: UInt8, number: Int) {
    let text = name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount) { getenv($0) }
    guard var text else { return (0, 0) }
    let first = UInt8(bitPattern: text.pointee)
    var number = 0
    while text.pointee >= 48, text.pointee < 58 {
        number = 10 * number + Int(text.pointee) - 48
        text += 1
    }
    return (first, number)
}

/// Memory of zeros, which are blocks and tiles as others are.
private func memory(_ count: Int) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    return memory
}

private let columns = 512

/// One call for 16 rows by 6 rows of 512 columns.
private func call(_ function: UInt8, _ type: GGMLType, _ kernels: BlockKernels, _ tiles: TileKernels) {
    let blocks = columns / type.elementsPerBlock
    let (weights, activations, sums) = (memory(1 << 16), memory(1 << 16), memory(4096))
    let output = sums.assumingMemoryBound(to: Float.self)
    for _ in 0..<variable("CALLS").number {
        if function == UInt8(ascii: "d") {
            kernels.dot(weights, blocks * type.bytesPerBlock, 16, activations, 4 * columns, 6, blocks, output, 16)
        } else {
            for _ in stride(from: 0, to: columns, by: tiles.slabColumns) {
                if function == UInt8(ascii: "u") {
                    tiles.unpack(weights, blocks * type.bytesPerBlock, 16, tiles.slabColumns, activations)
                } else {
                    tiles.multiply(weights, activations, tiles.shape.activationRows, tiles.slabColumns, output)
                }
            }
        }
    }
}

@main
struct CountNEON {
    static func main() {
        guard let type = GGMLType(rawValue: UInt32(variable("TYPE").number)), let kernels = table[type],
            let tiles = kernels.tiles
        else { return print("the type has no tile kernel") }
        call(variable("FUNCTION").first, type, kernels, tiles)
    }
}
