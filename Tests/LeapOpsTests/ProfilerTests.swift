import LeapBlocks
import Testing
import _LeapTestSupport

@testable import LeapOps

/// The profiler's reports of operations and threads.
@Suite struct ProfilerTests {
    /// Runs a profiled product of F32 weights `[1024, 512]` with rows, and returns the report.
    private func product(rows: Int, threads: Int) throws -> (operations: [Operation], threads: ThreadReport) {
        var random = SeededRandomNumberGenerator(seed: 3)
        let weights = random.floats(1024 * 512)
        let compute = Compute(threads: threads)
        #expect(compute.beginPass(of: .answer))
        compute.profiler.isOn = true
        try weights.withUnsafeBytes { bytes in
            let matrix = try #require(QuantizedMatrix(type: .F32, rows: 1024, columns: 512, bytes: bytes))
            let x = compute.scratch.rows(rows, width: 512)
            x.base.update(repeating: 1, count: rows * 512)
            var input = Activations(x, .answer)
            let output = compute.linear(matrix, &input)
            compute.add(output, to: output)
        }
        return compute.profiler.take()
    }

    @Test("Nothing is recorded while the profiler is off")
    func off() {
        let compute = Compute(threads: 1)
        #expect(compute.beginPass(of: .answer))
        let x = compute.scratch.rows(1, width: 64)
        x.base.update(repeating: 1, count: 64)
        compute.add(x, to: x)
        #expect(compute.profiler.take().operations.isEmpty)
    }

    @Test("A product is recorded with its matrix, bytes and multiply-adds", arguments: [1, 3])
    func product(rows: Int) throws {
        let operations = try product(rows: rows, threads: 1).operations
        let product = try #require(operations.first { $0.kind == .product })
        #expect(product.matrices.first?.rows == 1024)
        #expect(product.matrices.first?.columns == 512)
        #expect(product.matrices.first?.type == .F32)
        #expect(product.rows == rows)
        #expect(product.bytes == 1024 * 512 * 4)
        #expect(product.multiplyAdds == rows * 1024 * 512)
        #expect(product.nanoseconds > 0)
        let addition = try #require(operations.last)
        #expect(addition.kind == .addition)
        #expect(addition.bytes == 3 * rows * 1024 * 4)
    }

    @Test("An operation's time excludes that of nested operations")
    func nesting() {
        let profiler = Profiler(threads: 1)
        profiler.isOn = true
        let begin = Profiler.now()
        let outer = profiler.begin()
        for _ in 0..<2 {
            let inner = profiler.begin()
            let time = Profiler.now()
            while Profiler.now() - time < 2_000_000 {}
            profiler.end(inner, Operation(.norm, rows: 1, bytes: 1))
        }
        profiler.end(outer, Operation(.product, rows: 1, bytes: 1))
        let elapsed = Profiler.now() - begin
        let operations = profiler.take().operations
        #expect(operations.map(\.kind) == [.norm, .norm, .product])
        #expect(operations.map(\.nanoseconds).reduce(0, +) <= elapsed)
        #expect(operations[0].nanoseconds >= 2_000_000)
        #expect(operations[1].nanoseconds >= 2_000_000)
        // Both inner spans are subtracted: only the loop's own time is left, whatever else runs on the machine.
        #expect(operations[2].nanoseconds <= elapsed - 4_000_000)
    }

    @Test("Threads are busy for at most the time of shared work, and taking a report resets it")
    func threads() throws {
        let report = try product(rows: 1, threads: 2).threads
        #expect(report.busyNanoseconds.allSatisfy { $0 <= report.sharedNanoseconds })
        guard CPUCount.permitted > 1 else { return }
        #expect(report.sharedNanoseconds > 0)
        #expect(report.busyNanoseconds.reduce(0, +) > 0)

        let profiler = Profiler(threads: 2)
        profiler.times.add(shared: 100, threads: 2)
        profiler.times.add(busy: 70, worker: 0)
        profiler.times.add(busy: 40, worker: 1)
        #expect(profiler.times.waited == 90)
        #expect(profiler.take().threads.busyNanoseconds == [70, 40])
        #expect(profiler.take().threads.busyNanoseconds.allSatisfy { $0 == 0 })
    }
}
