import LeapGGUF
import Testing

@Suite("Names of shards")
struct ShardNameTests {
    @Test(
        "A shard's name determines the names of all shards",
        arguments: [
            ("m-00001-of-00002.gguf", ["m-00001-of-00002.gguf", "m-00002-of-00002.gguf"]),
            ("/a-00009-of-00009.gguf/é\n-00001-of-00001.gguf", ["/a-00009-of-00009.gguf/é\n-00001-of-00001.gguf"]),
            ("-00002-of-00002.gguf", ["-00001-of-00002.gguf", "-00002-of-00002.gguf"]),
        ])
    func shard(path: String, all: [String]) throws {
        let name = try #require(ShardName(path))
        #expect(name.all == all)
        #expect(name.path == path)
        #expect(all.allSatisfy { ShardName($0)?.prefix == name.prefix && ShardName($0)?.count == all.count })
    }

    @Test("A set may have up to 99,999 shards")
    func largest() {
        #expect(ShardName("m-99999-of-99999.gguf")?.number == 99_999)
        #expect(ShardName("m-00001-of-99999.gguf")?.all.last == "m-99999-of-99999.gguf")
    }

    @Test(
        "Other names are not shard names",
        arguments: [
            "", "m.gguf", "m-1-of-2.gguf", "m-00003-of-00002.gguf", "m-00000-of-00002.gguf", "m-00000-of-00000.gguf",
            "m-00001-of-00000.gguf", "00001-of-00002.gguf", "m-00001-of-00002.GGUF", "m-00001-of-00002.gguf.part",
            "m-+0001-of-00002.gguf", "m-00001-of--0002.gguf", "m-٠٠٠٠١-of-٠٠٠٠٢.gguf", "m-00001-of-0000é.gguf",
            "m_00001_of_00002.gguf", "m-000001-of-000002.gguf",
        ])
    func other(path: String) { #expect(ShardName(path) == nil) }
}
