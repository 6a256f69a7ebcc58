import Foundation
import LeapBlocks
import LeapGGUF
public import LeapOps

/// Generates frames of codes with a depthformer.
///
/// A frame takes about three hundred matrix-vector products, each of which depends on the one before, so threads share each
/// single product. Memory is allocated once.
///
/// Used by one caller at a time.
public final class DepthformerRun {
    private let depthformer: Depthformer
    private let compute: Compute
    private let scratchBytes: Int
    /// The keys of all books, then their values, for every layer: `[books, keyValueHeads · headDimension]` each.
    private var memory: [Float]
    /// The cosines of the angles, then the sines, for every book.
    private let angles: [Float]
    private var sum: CodeSum

    /// Takes the memory.
    ///
    /// - Parameter compute: Whose kernels and threads are used, in turns with other passes.
    public init(_ depthformer: Depthformer, _ compute: Compute) {
        self.depthformer = depthformer
        self.compute = Compute(sharingThreadsOf: compute)
        let compute = self.compute
        let configuration = depthformer.configuration
        memory = [Float](
            repeating: 0,
            count: 2 * configuration.blockCount * VocoderConfiguration.books * configuration.keyWidth)
        let pairs = configuration.headDimension / 2
        var angles: [Float] = []
        for book in 0..<VocoderConfiguration.books {
            let turns = (0..<pairs).map {
                Double(book) * pow(Depthformer.rotaryBase, -2 * Double($0) / Double(configuration.headDimension))
            }
            angles += turns.map { Float(cos($0)) } + turns.map { Float(sin($0)) }
        }
        self.angles = angles
        sum = CodeSum(width: configuration.modelWidth)
        let (memory, hidden) = (memory, [Float](repeating: 0, count: configuration.modelWidth))
        scratchBytes = compute.counted(positions: VocoderConfiguration.books) { counting in
            var memory = memory
            memory.withUnsafeMutableBufferPointer { memory in
                hidden.withUnsafeBufferPointer { hidden in
                    guard let base = memory.baseAddress, let row = hidden.baseAddress else { return }
                    Self.pass(depthformer, row, base, angles, counting) { _, _ in 0 }
                }
            }
        }
    }

    /// The next frame of audio codes. Allocates no memory.
    ///
    /// - Parameters:
    ///   - hidden: A language model's last row after its last norm, `modelWidth` numbers.
    ///   - draw: Draws a code of a book by its logits, 2049 of them.
    /// - Throws: ``ModelError/wrongEmbeddingLength(found:expected:)``, ``ModelError/speechNotFinite`` if weights or the row are
    ///   damaged, ``ModelError/outOfMemory(purpose:bytes:)``, or ``ModelError/file(_:)`` if pages of the file were lost.
    public func frame(
        after hidden: [Float], _ draw: (_ book: Int, _ logits: UnsafeBufferPointer<Float>) -> Int32
    ) throws(ModelError) -> CodeFrame {
        guard hidden.count == depthformer.configuration.modelWidth else {
            throw .wrongEmbeddingLength(found: hidden.count, expected: depthformer.configuration.modelWidth)
        }
        var codes = SIMD8<Int32>.zero
        var isFinite = true
        let isThere = compute.exclusively {
            guard compute.beginPass(of: .answer, scratchBytes: scratchBytes) else { return false }
            memory.withUnsafeMutableBufferPointer { memory in
                hidden.withUnsafeBufferPointer { hidden in
                    guard let base = memory.baseAddress, let row = hidden.baseAddress else { return }
                    Self.pass(depthformer, row, base, angles, compute) { book, row in
                        let scores = UnsafeBufferPointer(start: row, count: VocoderConfiguration.codes)
                        // A NaN spreads to all later values, so checking the logits is enough.
                        isFinite = isFinite && scores.allSatisfy(\.isFinite)
                        codes[book] = isFinite ? draw(book, scores) : 0
                        return codes[book]
                    }
                }
            }
            return true
        }
        guard isThere else { throw .outOfMemory(purpose: "activations", bytes: scratchBytes) }
        do { try depthformer.file.checkNothingLost() } catch { throw .file(error) }
        guard isFinite else { throw .speechNotFinite }
        let frame = CodeFrame(unchecked: codes)
        // If the first code is the end code, all are.
        return frame.isEnd ? .end : frame
    }

    /// Sets ``row`` to the row with which the language model reads a frame.
    public func setRow(_ frame: CodeFrame) { sum.set(frame, of: depthformer.frameEmbedding, compute) }

    /// The row of the last frame. It takes memory only if somebody still holds it when the next one is set.
    public var row: [Float] { sum.row }

    /// Computes a frame.
    ///
    /// - Parameter draw: Gets the logits of a book, and gives its code.
    private static func pass(
        _ depthformer: Depthformer, _ hidden: UnsafePointer<Float>, _ memory: UnsafeMutablePointer<Float>,
        _ angles: [Float], _ compute: Compute, _ draw: (_ book: Int, UnsafeMutablePointer<Float>) -> Int32
    ) {
        let configuration = depthformer.configuration
        let width = configuration.width
        let row = compute.scratch.rows(1, width: configuration.modelWidth)
        if !compute.isCounting { row.base.update(from: hidden, count: row.width) }
        var input = Activations(row, .answer)
        let slices = depthformer.slices(&input, compute)
        let (x, told) = (compute.scratch.rows(1, width: width), compute.scratch.rows(1, width: width))
        if !compute.isCounting { told.base.update(repeating: 0, count: width) }
        for book in 0..<VocoderConfiguration.books {
            if !compute.isCounting { x.base.update(from: slices.base + book * width, count: width) }
            compute.add(told, to: x)
            compute.scratch.scope {
                for (index, layer) in depthformer.layers.enumerated() {
                    let place = memory + index * 2 * VocoderConfiguration.books * configuration.keyWidth
                    compute.scratch.scope { layer.apply(to: x, book, place, angles, configuration, compute) }
                }
                depthformer.books[book].norm(x, into: x, compute)
                var last = Activations(x, .answer)
                let logits = depthformer.books[book].output(&last, compute)
                guard !compute.isCounting else { return }
                let code = draw(book, logits.base)
                compute.embed(code, from: depthformer.books[book].embedding, into: told.base)
            }
        }
    }
}

extension VocoderConfiguration {
    /// Elements of a row's keys, or values.
    var keyWidth: Int { keyValueHeads * headDimension }
}

extension Depthformer.Layer {
    /// `x ← x + attention(norm(x));   x ← x + network(norm(x))`
    ///
    /// - Parameter memory: The keys of the layer's books, then their values.
    fileprivate func apply(
        to x: Rows, _ book: Int, _ memory: UnsafeMutablePointer<Float>, _ angles: [Float],
        _ configuration: VocoderConfiguration, _ compute: Compute
    ) {
        let normed = compute.scratch.rows(1, width: x.width)
        mixerNorm(x, into: normed, compute)
        var input = Activations(normed, .answer)
        let (q, k, v) = Projection.apply(query, key, value, to: &input, compute)
        queryNorm.parts(of: q, compute)
        keyNorm.parts(of: k, compute)
        let attended = compute.scratch.rows(1, width: x.width)
        if !compute.isCounting {
            let (keys, values) = (memory, memory + VocoderConfiguration.books * configuration.keyWidth)
            rotate(q, book, angles, configuration)
            rotate(k, book, angles, configuration)
            (keys + book * configuration.keyWidth).update(from: k.base, count: k.width)
            (values + book * configuration.keyWidth).update(from: v.base, count: v.width)
            attend(q, keys, values, upTo: book, configuration, into: attended, compute.kernels.floats.softmax)
        }
        var result = Activations(attended, .answer)
        compute.add(output(&result, compute), to: x)
        networkNorm(x, into: normed, compute)
        compute.add(network(normed, kind: .answer, nil, compute), to: x)
    }

    /// Turns neighbouring elements of every head.
    private func rotate(_ x: Rows, _ book: Int, _ angles: [Float], _ configuration: VocoderConfiguration) {
        let (dimension, pairs) = (configuration.headDimension, configuration.headDimension / 2)
        for head in stride(from: 0, to: x.width, by: dimension) {
            for pair in 0..<pairs {
                let cosine = angles[book * dimension + pair]
                let sine = angles[book * dimension + pairs + pair]
                let place = x.base + head + 2 * pair
                (place[0], place[1]) = (place[0] * cosine - place[1] * sine, place[0] * sine + place[1] * cosine)
            }
        }
    }

    /// Attention of one row over at most eight.
    private func attend(
        _ q: Rows, _ keys: UnsafePointer<Float>, _ values: UnsafePointer<Float>, upTo book: Int,
        _ configuration: VocoderConfiguration, into output: Rows, _ softmax: FloatKernels.Softmax
    ) {
        let (dimension, width) = (configuration.headDimension, configuration.keyWidth)
        let group = configuration.headCount / configuration.keyValueHeads
        withUnsafeTemporaryAllocation(of: Float.self, capacity: VocoderConfiguration.books) { scores in
            guard let base = scores.baseAddress else { return }
            for head in 0..<configuration.headCount {
                let (query, column) = (q.base + head * dimension, head / group * dimension)
                for other in 0...book {
                    var sum: Float = 0
                    let key = keys + other * width + column
                    for element in 0..<dimension { sum += query[element] * key[element] }
                    base[other] = sum
                }
                softmax(base, 1 / Float(dimension).squareRoot(), book + 1)
                let target = output.base + head * dimension
                target.update(repeating: 0, count: dimension)
                for other in 0...book {
                    let value = values + other * width + column
                    for element in 0..<dimension { target[element] += base[other] * value[element] }
                }
            }
        }
    }
}
