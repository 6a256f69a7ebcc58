import LeapBlocks
import LeapOps

/// Where a test's time was spent.
struct Profile: Hashable {
    /// Operations of one kind, on tensors of one role, type and shape.
    struct Line: Hashable {
        /// `ffn_down`, `attention`, `norm` …; `ffn_gate+up` for matrices that are multiplied in one pass.
        var name: String
        /// `Q4_K 2048x8192`, rows by columns, for products; rows of all matrices together.
        var weights: String
        var count = 0
        var seconds = 0.0
        /// Seconds in which threads waited for each other, averaged over all threads.
        var waitSeconds = 0.0
        var bytes = 0.0
        var multiplyAdds = 0.0

        /// Bytes per second.
        var readRate: Double { seconds > 0 ? bytes / seconds : 0 }
        /// Multiply-adds per second.
        var multiplyAddRate: Double { seconds > 0 ? multiplyAdds / seconds : 0 }
    }

    /// A thread's time, in seconds.
    struct Thread: Hashable {
        /// Its tasks of shared work.
        var busy: Double
        /// The remaining time of shared work.
        var waits: Double
        /// All other time, in which the first thread worked alone or prepared the next pass.
        var alone: Double
    }

    /// The whole time of the test.
    var seconds: Double
    /// Forward passes.
    var passes: Int
    /// The operations, in descending order of time.
    var lines: [Line]
    var threads: [Thread]
    /// Bytes of matrices that products did not read from the mapped file.
    var extraWeightBytes: Int

    /// The fraction of the time that operations account for.
    var explained: Double { seconds > 0 ? lines.reduce(0) { $0 + $1.seconds } / seconds : 0 }
}

extension Profile {
    /// Adds up a profiler's operations.
    init(seconds: Double, passes: Int, operations: [Operation], threads: ThreadReport, names: TensorNames) {
        var lines: [Key: Line] = [:]
        var copies: [UInt: Int] = [:]
        for operation in operations {
            let key = Key(operation, names)
            lines[key, default: Line(name: key.name, weights: key.weights)].add(
                operation, threads: threads.busyNanoseconds.count)
            for matrix in operation.matrices where names.role(at: matrix.address) == nil {
                copies[matrix.address] = matrix.type.byteCount(elements: matrix.rows * matrix.columns) ?? 0
            }
        }
        let shared = Double(threads.sharedNanoseconds) * 1e-9
        self.init(
            seconds: seconds, passes: passes,
            lines: lines.values.sorted { ($0.seconds, $1.name) > ($1.seconds, $0.name) },
            threads: threads.busyNanoseconds.map { busy in
                let busy = Double(busy) * 1e-9
                return Thread(busy: busy, waits: max(0, shared - busy), alone: max(0, seconds - shared))
            },
            extraWeightBytes: copies.values.reduce(0, +))
    }

    private struct Key: Hashable {
        let name: String
        let weights: String

        init(_ operation: Operation, _ names: TensorNames) {
            let matrices = operation.matrices
            guard let first = matrices.first else {
                (name, weights) = (operation.kind.rawValue, "")
                return
            }
            name = TensorNames.joint(matrices.map { names.role(at: $0.address) ?? operation.kind.rawValue })
            var types: [String] = []
            for matrix in matrices where !types.contains(matrix.type.name) { types.append(matrix.type.name) }
            let rows = matrices.reduce(0) { $0 + $1.rows }
            weights = "\(types.joined(separator: "+")) \(rows)x\(first.columns)"
        }
    }
}

extension Profile.Line {
    fileprivate mutating func add(_ operation: Operation, threads: Int) {
        count += 1
        seconds += Double(operation.nanoseconds) * 1e-9
        waitSeconds += Double(operation.waitNanoseconds) * 1e-9 / Double(max(threads, 1))
        bytes += Double(operation.bytes)
        multiplyAdds += Double(operation.multiplyAdds)
    }
}
