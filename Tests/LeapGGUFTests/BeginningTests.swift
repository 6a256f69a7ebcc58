import LeapBlocks
import LeapGGUF
import Testing
import _LeapTestSupport

/// What can be read from the first bytes of a file before the rest has arrived.
@Suite("Partially received files")
struct BeginningTests {
    private let bytes: [UInt8]

    init() throws {
        var writer = GGUFWriter()
        writer.set("general.architecture", .string("lfm2"))
        writer.set("tokenizer.ggml.tokens", strings: (0..<100).map { "token \($0)" })
        for index in 0..<3 { try writer.addTensor("t\(index)", type: .F32, dimensions: [40]) }
        bytes = try writer.encoded { output in try output.append([Float](repeating: 1, count: 120)) }
    }

    private func beginning(_ count: Int, of size: Int? = nil) throws -> GGUFBeginning {
        try GGUFBeginning(Array(bytes.prefix(count)), of: size, name: "m")
    }

    @Test("the architecture is reported once its entry has arrived, and not a byte earlier")
    func architecture() throws {
        // Header, key, type, length, value; but the bytes must first suffice for the announced number of entries.
        let end = 24 + 8 + 20 + 4 + 8 + 4
        for count in 1..<bytes.count {
            let answer = try beginning(count).architecture()
            #expect(count < end ? answer == .needsMore : answer == .needsMore || answer == .value("lfm2"), "\(count)")
        }
        #expect(try beginning(24 + 3 * 48).architecture() == .value("lfm2"))
    }

    @Test("a file without an architecture yields nil")
    func noArchitecture() throws {
        let other = try GGUFWriter().encoded()
        #expect(try GGUFBeginning(other, name: "m").architecture() == .value(nil))
    }

    @Test("the tensor table alone shows whether the file is complete or where it was cut")
    func end() throws {
        // Everything before the tensor data.
        let table = bytes.count - 3 * 160
        #expect(try beginning(table, of: bytes.count).checkEnd() == .value(true))
        #expect(try beginning(table - 40, of: bytes.count).checkEnd() == .needsMore)
        for size in table..<bytes.count {
            let error = #expect(throws: GGUFError.self) { try beginning(table, of: size).checkEnd() }
            #expect(error?.isAboutEnd == true, "\(size)")
        }
        for size in 1..<table {
            let error = #expect(throws: GGUFError.self) { try beginning(size, of: size).checkEnd() }
            #expect(error?.isAboutEnd == true, "\(size)")
        }
    }

    @Test("a damaged file is not reported as truncated")
    func broken() throws {
        var other = bytes
        other[0] = 0
        let error = #expect(throws: GGUFError.self) { try GGUFBeginning(other, name: "m").architecture() }
        #expect(error?.isAboutEnd == false)
    }
}
