import LeapBlocks
import LeapGGUF
import Testing
import _LeapTestSupport

@Suite("Broken tensors")
struct TensorFaultTests {
    private typealias Tensor = HandmadeGGUF.Tensor

    /// The error of a file with the tensors and 64 bytes of data.
    private func error(_ tensors: Tensor...) -> GGUFError? {
        errorOpening(HandmadeGGUF(tensors: tensors, dataSize: 64))
    }

    private func problem(_ problem: GGUFError.TensorProblem) -> GGUFError {
        .tensor(file: "f", name: "t", problem)
    }

    // MARK: Names

    @Test("An empty name is refused")
    func emptyName() {
        #expect(
            error(Tensor("", dimensions: [4, 1]))
                == .format(file: "f", offset: 24, .emptyName(.tensorName(index: 0))))
    }

    @Test("A name of more than 64 bytes is refused, one of 64 is not")
    func longName() {
        let name = String(repeating: "n", count: 64)
        #expect(error(Tensor(name, dimensions: [4])) == nil)
        #expect(
            error(Tensor(name + "n", dimensions: [4]))
                == .format(
                    file: "f", offset: 24, .longName(.tensorName(index: 0), length: 65, limit: 64)))
    }

    @Test("A name that is not UTF-8 is refused")
    func invalidName() {
        var tensor = Tensor("", dimensions: [4])
        tensor.name = [0x74, 0xC3]
        #expect(error(tensor) == .format(file: "f", offset: 24, .nameNotUTF8(.tensorName(index: 0))))
    }

    @Test("Two tensors of one name are refused")
    func duplicateName() {
        #expect(
            error(Tensor("t", dimensions: [4]), Tensor("t", dimensions: [4], offset: 32))
                == problem(.duplicateName(otherFile: "f")))
    }

    // MARK: Shape and type

    @Test("A dimension count other than 1 to 4 is refused", arguments: [0, 5, 1 << 31, UInt32.max])
    func dimensionCount(count: UInt32) {
        var tensor = Tensor("t", dimensions: [1, 1, 1, 1])
        tensor.dimensionCount = count
        #expect(error(tensor) == problem(.dimensionCount(count)))
    }

    @Test("A dimension without elements is refused", arguments: 0..<4)
    func emptyDimension(index: Int) {
        var dimensions: [UInt64] = [4, 1, 1, 1]
        dimensions[index] = 0
        #expect(error(Tensor("t", dimensions: dimensions)) == problem(.emptyDimension(index: index)))
    }

    @Test(
        "Dimensions whose product or byte count overflows are refused",
        arguments: [
            [1 << 63], [.max], [1 << 62], [1 << 32, 1 << 32], [(1 << 63) - 1, 2], [1 << 16, 1 << 16, 1 << 16, 1 << 16],
            [1 << 61, 4],
        ] as [[UInt64]])
    func overflow(dimensions: [UInt64]) {
        #expect(error(Tensor("t", dimensions: dimensions)) == problem(.tooLarge(dimensions: dimensions)))
    }

    @Test("An unknown type number is refused", arguments: [4, 5, 31, 36, 41, 1 << 31, UInt32.max])
    func unknownType(type: UInt32) {
        #expect(error(Tensor("t", dimensions: [32], type: type)) == problem(.unknownType(type)))
    }

    @Test("Rows must be whole blocks", arguments: [GGMLType.Q8_0, .Q4_K, .NVFP4])
    func partialBlock(type: GGMLType) {
        let columns = type.elementsPerBlock / 2
        let expected = GGUFError.TensorProblem.partialBlock(
            type: type.name, columns: columns, elementsPerBlock: type.elementsPerBlock)
        // Two half rows make a whole block, and are refused all the same.
        #expect(
            error(Tensor("t", dimensions: [UInt64(columns), 2], type: type.rawValue)) == problem(expected))
    }

    @Test("Every known type opens with the size given by its blocks", arguments: GGMLType.allCases)
    func knownType(type: GGMLType) throws {
        let columns = type.elementsPerBlock
        let tensor = Tensor("t", dimensions: [UInt64(columns), 3], type: type.rawValue)
        let file = HandmadeGGUF(tensors: [tensor], dataSize: 3 * type.bytesPerBlock)
        let opened = try #require(try GGUFFile(bytes: file.bytes, name: "f").tensor(named: "t"))
        #expect(opened.type == type)
        #expect(opened.dimensions == [columns, 3])
        #expect(opened.elementCount == 3 * columns)
        #expect(opened.byteCount == 3 * type.bytesPerBlock)
        #expect(opened.bytes.count == opened.byteCount)
    }

    // MARK: Position

    @Test("An offset that is not a multiple of the alignment is refused", arguments: [1, 16, 31, UInt64.max])
    func misaligned(offset: UInt64) {
        #expect(
            error(Tensor("t", dimensions: [4], offset: offset))
                == problem(.misaligned(offset: offset, alignment: 32)))
    }

    @Test("The file's own alignment applies")
    func ownAlignment() {
        var file = HandmadeGGUF(metadata: [.uint32("general.alignment", 64)])
        file.tensors = [Tensor("t", dimensions: [4], offset: 32)]
        file.alignment = 64
        file.data = [UInt8](repeating: 0, count: 64)
        #expect(errorOpening(file) == problem(.misaligned(offset: 32, alignment: 64)))
        file.tensors[0].offset = 0
        #expect(errorOpening(file) == nil)
    }

    @Test("A tensor that extends past the end of the file is refused")
    func beyondEnd() {
        // The header takes 24 bytes, the description 33, so data starts at byte 64 and the file has 128.
        #expect(error(Tensor("t", dimensions: [16])) == nil)
        #expect(error(Tensor("t", dimensions: [17])) == problem(.beyondEnd(end: 132, fileSize: 128)))
        #expect(
            error(Tensor("t", dimensions: [4], offset: 64)) == problem(.beyondEnd(end: 144, fileSize: 128)))
        #expect(
            error(Tensor("t", dimensions: [1 << 40])) == problem(.beyondEnd(end: 4 << 40 + 64, fileSize: 128)))
    }

    @Test("An offset whose sum with the start and size overflows is refused", arguments: [UInt64.max - 31, 1 << 63])
    func wrappingOffset(offset: UInt64) {
        let (end, overflow) = offset.addingReportingOverflow(64 + 16)
        #expect(
            error(Tensor("t", dimensions: [4], offset: offset))
                == problem(.beyondEnd(end: overflow ? .max : end, fileSize: 128)))
    }

    @Test("Overlapping tensors are refused in either order")
    func overlap() {
        let long = Tensor("long", dimensions: [16])
        let inside = Tensor("t", dimensions: [4], offset: 32)
        // The two descriptions end at byte 93, so data starts at byte 96.
        let expected = problem(.overlap(with: "long", offset: 128, otherEnd: 160))
        #expect(error(long, inside) == expected)
        #expect(error(inside, long) == expected)
    }

    @Test("Tensors may be in any order and have gaps between them")
    func anyOrder() throws {
        let tensors = [
            Tensor("b", dimensions: [4], offset: 64), Tensor("a", dimensions: [4], offset: 0),
        ]
        let file = try GGUFFile(
            bytes: HandmadeGGUF(tensors: tensors, dataSize: 80).bytes, name: "f")
        #expect(file.tensors.map(\.name) == ["b", "a"])
    }

    @Test("A file that ends within the padding after the last tensor is refused, one without padding is not")
    func cutPadding() {
        // The tensor takes 36 bytes from byte 64 on: it ends at 100, its padding at 128.
        let tensor = Tensor("t", dimensions: [9])
        let valid = [36, 64, 65, 100]
        for size in valid { #expect(errorOpening(HandmadeGGUF(tensors: [tensor], dataSize: size)) == nil) }
        for size in 37..<64 {
            #expect(
                errorOpening(HandmadeGGUF(tensors: [tensor], dataSize: size))
                    == problem(.cutPadding(end: 100, fileSize: 64 + size)))
        }
    }
}
