import LeapBlocks
import Testing

@Suite("Block layouts")
struct BlockLayoutTests {
    @Test("a block has the size that its tensor type declares", arguments: GGMLType.allCases.filter { $0.block != nil })
    func size(type: GGMLType) throws {
        let block = try #require(type.block)
        #expect(block.type == type)
        #expect(block.elementCount == type.elementsPerBlock)
        #expect(block.byteCount == type.bytesPerBlock)
    }

    @Test("the last field ends at the end of the block")
    func fields() {
        #expect(BlockQ4_0.qs + 16 == BlockQ4_0.byteCount)
        #expect(BlockQ4_1.qs + 16 == BlockQ4_1.byteCount)
        #expect(BlockQ5_0.qs + 16 == BlockQ5_0.byteCount)
        #expect(BlockQ5_1.qs + 16 == BlockQ5_1.byteCount)
        #expect(BlockQ8_0.qs + 32 == BlockQ8_0.byteCount)
        #expect(BlockQ8_1.qs + 32 == BlockQ8_1.byteCount)
        #expect(BlockQ2_K.dmin + 2 == BlockQ2_K.byteCount)
        #expect(BlockQ3_K.d + 2 == BlockQ3_K.byteCount)
        #expect(BlockQ4_K.qs + 128 == BlockQ4_K.byteCount)
        #expect(BlockQ5_K.qs + 128 == BlockQ5_K.byteCount)
        #expect(BlockQ6_K.d + 2 == BlockQ6_K.byteCount)
        #expect(BlockQ8_K.bsums + 32 == BlockQ8_K.byteCount)
        #expect(BlockIQ4_NL.qs + 16 == BlockIQ4_NL.byteCount)
        #expect(BlockIQ4_XS.qs + 128 == BlockIQ4_XS.byteCount)
        #expect(BlockMXFP4.qs + 16 == BlockMXFP4.byteCount)
    }

    @Test("every supported weight type and its activation type have a block")
    func supportedTypesHaveBlocks() throws {
        for type in GGMLType.allCases where type.isSupportedWeight {
            #expect(type.block != nil, "\(type)")
            #expect(try #require(type.activationType).block != nil, "\(type)")
        }
    }
}
