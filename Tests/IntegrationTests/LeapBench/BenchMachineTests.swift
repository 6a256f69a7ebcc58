import Testing

@testable import leap_bench

@Suite("Properties of the machine")
struct BenchMachineTests {
    @Test(
        "Cache sizes are parsed in the kernel's format",
        arguments: [
            ("32768K\n", 32 << 20), ("2M", 2 << 20), ("512", 512),
        ])
    func cacheSizes(text: String, expected: Int) { #expect(Machine.cacheSize(text) == expected) }

    @Test("Malformed cache sizes are rejected", arguments: ["", "K", "many", "9999999999999K"])
    func brokenCacheSizes(text: String) { #expect(Machine.cacheSize(text) == nil) }

    @Test("The memory use of this process is read")
    func memory() {
        let memory = MemoryUse.now()
        #expect(memory.anonymous > 0)
        #expect(memory.peakResident >= memory.anonymous / 2)
    }

    #if os(Linux)
    @Test("Memory use is parsed from the kernel's text")
    func memoryText() {
        let text = "Name:\tleap-bench\nVmHWM:\t  2048 kB\nRssAnon:\t    1024 kB\nRssFile:\t 512 kB\nThreads:\t2\n"
        #expect(MemoryUse(status: text) == MemoryUse(peakResident: 2 << 20, anonymous: 1 << 20))
        #expect(MemoryUse(status: "") == MemoryUse())
    }
    #endif
}
