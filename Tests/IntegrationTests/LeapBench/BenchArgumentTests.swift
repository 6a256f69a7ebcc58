import ArgumentParser
import LeapModels
import LeapOps
import LeapQuantize
import Testing

@testable import leap_bench

@Suite("Arguments of leap-bench")
struct BenchArgumentTests {
    @Test(
        "Lists and ranges of numbers are parsed",
        arguments: [
            ("512", [512]), ("0", [0]), ("1,2,4", [1, 2, 4]), ("1-4", [1, 2, 3, 4]), ("10-50+20", [10, 30, 50]),
            ("512-2048*2", [512, 1024, 2048]), ("1-2,8", [1, 2, 8]), ("7-7", [7]),
        ])
    func numberLists(text: String, expected: [Int]) {
        #expect(NumberList(argument: text)?.values == expected)
    }

    @Test(
        "Malformed number lists are rejected",
        arguments: [
            "", ",", "1,", "x", "-1", "1-", "-", "4-1", "1-4+0", "1-4*1", "0-4*2", "1-4+", "1-4/2", "1.5", "٣",
            "99999999999999999999", "3000000000", "0-2000000000",
        ])
    func brokenNumberLists(text: String) { #expect(NumberList(argument: text) == nil) }

    @Test(
        "-1 and 0 threads are as many as this process has CPUs, also in lists",
        arguments: [
            (["-1"], [nil]), (["0"], [nil]), (["1,2,-1"], [1, 2, nil]), (["-1,1"], [nil, 1]),
            (["1-2", "-1"], [1, 2, nil]),
        ] as [([String], [Int?])])
    func automaticThreads(lists: [String], expected: [Int?]) throws {
        let options = try RunCommand.parse(lists.flatMap { ["-t", $0] })
        #expect(options.grid.threads == expected.map { $0 ?? CPUCount.permitted })
    }

    @Test("Other negative numbers of threads are rejected", arguments: ["-2", "1,-2", "-1-2", "1--1", "-1,", "--1"])
    func brokenThreads(text: String) { #expect(ThreadList(argument: text) == nil) }

    @Test("No group of flags has groups, each of which would be checked four times in debug builds")
    func flatGroups() throws {
        func groups(in flags: Any) -> [any ParsableArguments] {
            Mirror(reflecting: flags).children.compactMap { ($0.value as? any FlagGroup)?.flags }
        }
        let outer = groups(in: try RunCommand.parse([]))
        #expect(outer.count == 4)
        for group in outer { #expect(groups(in: group).isEmpty, "\(type(of: group))") }
    }

    @Test("The default tests are llama-bench's")
    func defaults() throws {
        let options = try RunCommand.parse(["-t", "2"])
        #expect(options.grid.points.map(\.test.name) == ["pp512", "tg128"])
        #expect(options.repetitions == 5)
        #expect(options.grid.chunks == [LanguageModel.chunkSize])
    }

    @Test("Every combination of threads, depth and test is measured, prompts first")
    func combinations() throws {
        let options = try RunCommand.parse([
            "-p", "0,16", "-n", "8", "-n", "4", "-pg", "32,2", "-d", "0,64", "-t", "1,2", "-ub", "32",
        ])
        let points = options.grid.points
        let names = ["pp16", "tg8", "tg4", "pp32+tg2", "pp16 @ d64", "tg8 @ d64", "tg4 @ d64", "pp32+tg2 @ d64"]
        #expect(points.map(\.test.name) == names + names)
        #expect(points.map(\.threads) == [Int](repeating: 1, count: 8) + [Int](repeating: 2, count: 8))
        #expect(points.allSatisfy { $0.chunk == 32 })
    }

    @Test(
        "Invalid arguments are usage errors",
        arguments: [
            ["-p", "0", "-n", "0"], ["-t", "-2"], ["-r", "0"], ["-ub", "0"], ["-o", "xml"], ["--kernels", "mmx"],
            ["-pg", "1"], ["-p", "all"], ["stray"], ["-m", ""], ["--cached", "-o", "json"],
            ["--cancellation", "-oe", "md"], ["--through-api", "--profile"], ["--through-api", "-d", "64"],
            ["--through-api", "-b", "64"], ["--through-api", "-ub", "64"], ["--through-api", "--delay", "1"],
            ["--compare", "a", "b", "-m", "x"], ["--compare", "a", "b", "-o", "json"], ["--compare", "a"],
            ["--compare", "a", "b", "--cached"],
            ["-r", "9223372036854775807"], ["--image", "1048576x1048576"],
        ])
    func usageErrors(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { _ = try LeapBench.parseAsRoot(arguments) }
        #expect(error.map { LeapBench.exitCode(for: $0) } == .validationFailure)
    }

    @Test(
        "Lengths of 0 are no mistake where lengths are not measured",
        arguments: [["--image", "64x64"], ["--audio", "1"], ["--roofline"], ["--compare", "a", "b"]])
    func withoutLengths(arguments: [String]) throws {
        #expect(try RunCommand.parse(["-p", "0", "-n", "0"] + arguments).grid.points.isEmpty)
    }

    @Test("An unknown kernel level is reported with the available ones")
    func unknownKernels() throws {
        let error = #expect(throws: (any Error).self) { _ = try RunCommand.parse(["--kernels", "mmx"]) }
        let message = RunCommand.message(for: try #require(error))
        #expect(message.contains("kernels 'mmx' are not available on this machine. Available: "))
        #expect(message.contains("portable"))
    }

    @Test("Arguments of synth are parsed by its own command")
    func synthArguments() throws {
        let command = try LeapBench.parseAsRoot(["synth", "LFM2-350m", "q4_k_m", "-o", "x.gguf", "--blocks", "3"])
        let synth = try #require(command as? SynthCommand)
        #expect(synth.shape.name == "lfm2-350m")
        #expect(synth.type == .Q4_K_M)
        #expect(synth.output == "x.gguf")
    }

    @Test(
        "A number of blocks that the shape does not allow is rejected with the limits",
        arguments: [("lfm2-350m", "17", "3 to 16"), ("lfm2-350m", "2", "3 to 16"), ("llama-3.2-1b", "0", "1 to 16")])
    func blockCounts(shape: String, blocks: String, limits: String) throws {
        let error = #expect(throws: (any Error).self) {
            _ = try SynthCommand.parse([shape, "Q4_0", "-o", "x", "--blocks", blocks])
        }
        let message = SynthCommand.message(for: try #require(error))
        #expect(message == "--blocks must be from \(limits) for \(shape), not \(blocks).")
    }
}

/// A property that is a group of flags.
private protocol FlagGroup {
    var flags: any ParsableArguments { get }
}

extension OptionGroup: FlagGroup {
    fileprivate var flags: any ParsableArguments { wrappedValue }
}
