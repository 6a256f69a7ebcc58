/// A GGUF file that is being written, which receives the data of the tensors in the order in which they were added.
///
/// Data can be appended in pieces of any size, regardless of tensor boundaries; pieces of about a megabyte are fastest.
/// The padding between tensors is added automatically.
public final class GGUFOutput {
    private let plan: FilePlan
    private let sink: Sink
    /// The tensor whose data comes next, and how much of it has come.
    private var tensorIndex = 0
    private var received = 0

    enum Sink {
        case file(NewFile)
        case memory(MemorySink)
    }

    init(_ plan: FilePlan, _ sink: Sink) {
        self.plan = plan
        self.sink = sink
    }

    /// Appends tensor data.
    ///
    /// - Throws: ``GGUFError/write(file:_:)`` if there is more data than the tensors hold, or writing fails.
    public func append(_ data: UnsafeRawBufferPointer) throws(GGUFError) {
        var rest = data[...]
        while !rest.isEmpty {
            guard tensorIndex < plan.tensors.count else {
                let expected = plan.tensors.reduce(0) { $0 + $1.byteCount }
                throw .write(file: plan.file, .tooMuchData(expected: expected))
            }
            let piece = rest.prefix(plan.tensors[tensorIndex].byteCount - received)
            try put(UnsafeRawBufferPointer(rebasing: piece))
            rest = rest.dropFirst(piece.count)
            try advance(by: piece.count)
        }
    }

    /// Appends tensor data, as the bytes of an array's elements.
    ///
    /// - Throws: ``GGUFError/write(file:_:)`` if there is more data than the tensors hold, or writing fails.
    public func append(_ data: [some BitwiseCopyable]) throws(GGUFError) {
        try data.withUnsafeBufferPointer { (elements) throws(GGUFError) in
            try append(UnsafeRawBufferPointer(elements))
        }
    }

    /// Writes what comes before the data.
    func begin(_ header: [UInt8]) throws(GGUFError) {
        try header.withUnsafeBufferPointer { (elements) throws(GGUFError) in
            try put(UnsafeRawBufferPointer(elements))
        }
        // A file without tensors has no data section that could be aligned.
        if !plan.tensors.isEmpty { try pad(after: header.count) }
    }

    /// Checks that all data came.
    func finish() throws(GGUFError) {
        guard tensorIndex < plan.tensors.count else { return }
        let tensor = plan.tensors[tensorIndex]
        let problem = GGUFError.WriteProblem.missingData(
            tensor: tensor.name, expected: tensor.byteCount, found: received)
        throw .write(file: plan.file, problem)
    }

    private func advance(by count: Int) throws(GGUFError) {
        received += count
        guard received == plan.tensors[tensorIndex].byteCount else { return }
        try pad(after: received)
        tensorIndex += 1
        received = 0
    }

    private func pad(after count: Int) throws(GGUFError) {
        let zeros = [UInt8](repeating: 0, count: plan.padding(after: count))
        try zeros.withUnsafeBufferPointer { (elements) throws(GGUFError) in
            try put(UnsafeRawBufferPointer(elements))
        }
    }

    private func put(_ bytes: UnsafeRawBufferPointer) throws(GGUFError) {
        switch sink {
        case .file(let file): try file.append(bytes)
        case .memory(let memory): memory.bytes.append(contentsOf: bytes)
        }
    }
}

/// A file's bytes in memory.
final class MemorySink {
    var bytes: [UInt8] = []
}
