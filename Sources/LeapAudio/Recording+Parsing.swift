public import Foundation

extension Recording {
    /// Reads a WAV file of uncompressed samples: 32-bit floats or 16-, 24- or 32-bit integers, little-endian.
    ///
    /// If the samples end before their stated length, as in a file that is still being written or whose recorder
    /// stopped, they are read as far as they go; a length of zero means that it was never filled in, unless the file's
    /// header has the file's length.
    ///
    /// - Throws: ``AudioError/notWAV(reason:)`` if it is not a WAV file, has samples of another format, or ends before
    ///   them.
    public init(wav data: Data) throws(AudioError) {
        var reader = Reader(file: data)
        guard try reader.header() else {
            throw .notWAV(
                reason: "it does not start with a WAV header; convert MP3, AAC, M4A and OGG files to WAV")
        }
        var format: SampleFormat?
        while let chunk = try reader.chunk() {
            if chunk.tag == "fmt " { format = try SampleFormat(chunk) }
            if chunk.tag == "ds64" { try reader.takeLength(chunk) }
            guard chunk.tag == "data" else { continue }
            guard let format else { throw .notWAV(reason: "its 'data' chunk comes before its 'fmt ' chunk") }
            self.init(
                samples: format.samples(chunk.bytes), sampleRate: format.sampleRate, channelCount: format.channelCount)
            return
        }
        throw .notWAV(reason: "it has no 'data' chunk")
    }
}

/// A part of a file.
private struct Chunk {
    let tag: String
    let bytes: Data
}

/// How samples are encoded.
private struct SampleFormat {
    let isFloat: Bool
    let bytesPerSample: Int
    let channelCount: Int
    let sampleRate: Int

    init(_ chunk: Chunk) throws(AudioError) {
        var reader = Reader(chunk)
        var code = try reader.integer(2)
        channelCount = try reader.integer(2)
        sampleRate = try reader.integer(4)
        try reader.skip(4)
        let frameBytes = try reader.integer(2)
        let bits = try reader.integer(2)
        if code == WAVCode.extensible {
            try reader.skip(8)
            code = try reader.integer(2)
        }
        guard channelCount > 0, sampleRate > 0 else {
            throw .notWAV(reason: "it has \(channelCount) channels and a sample rate of \(sampleRate) Hz")
        }
        isFloat = code == WAVCode.float
        guard isFloat && bits == 32 || code == WAVCode.integer && [16, 24, 32].contains(bits) else {
            throw .notWAV(
                reason:
                    "its samples have format \(code) with \(bits) bits; supported are 32-bit floats (format 3) and 16-, 24- and "
                    + "32-bit integers (format 1)")
        }
        bytesPerSample = bits / 8
        // For larger containers, there is no agreement on which bits hold the samples.
        guard frameBytes <= channelCount * bytesPerSample else {
            throw .notWAV(
                reason:
                    "\(channelCount) samples of \(bits) bits take \(frameBytes) bytes; expected "
                    + "\(channelCount * bytesPerSample)")
        }
    }

    /// The samples in -1...1; an incomplete last sample is dropped.
    func samples(_ bytes: Data) -> [Float] {
        bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / bytesPerSample).map { index in
                // The highest bytes of a 32-bit word, so that its sign is the sample's.
                var word: UInt32 = 0
                for byte in (index * bytesPerSample..<(index + 1) * bytesPerSample).reversed() {
                    word = word << 8 | UInt32(bytes[byte])
                }
                word <<= UInt32(32 - 8 * bytesPerSample)
                return isFloat ? Float(bitPattern: word) : Float(Int32(bitPattern: word)) / 0x1p31
            }
        }
    }
}

/// Consumes bytes from the front.
private struct Reader {
    private var rest: Data
    private let count: Int
    /// What is being read, for errors.
    private var place: String
    /// Whether the bytes are those of a chunk, so that their number says nothing about the end of the file.
    private let isChunk: Bool
    /// Whether the file's header has its length.
    private var knowsLength = false
    /// The 64-bit length of the samples, if 32 bits are not enough.
    private var longLength: Int?

    /// Reads a file.
    init(file: Data) {
        (rest, count, place, isChunk) = (file, file.count, "a RIFF header", false)
    }

    /// Reads a chunk.
    init(_ chunk: Chunk) {
        (rest, count, place, isChunk) = (chunk.bytes, chunk.bytes.count, "its '\(chunk.tag)' chunk", true)
    }

    private mutating func take(_ length: Int) throws(AudioError) -> Data {
        guard length <= rest.count else {
            throw .notWAV(
                reason: isChunk ? "\(place) has only \(count) bytes" : "it ends at byte \(count), inside \(place)")
        }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }

    mutating func skip(_ length: Int) throws(AudioError) { _ = try take(length) }

    /// Four letters; hexadecimal digits if they are none that can be printed.
    private mutating func tag() throws(AudioError) -> String {
        let bytes = try take(4)
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return bytes.reduce("0x") { $0 + ($1 < 16 ? "0" : "") + String($1, radix: 16) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func integer(_ length: Int) throws(AudioError) -> Int {
        try take(length).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads the file's header.
    ///
    /// - Returns: Whether it is one of a WAV file.
    mutating func header() throws(AudioError) -> Bool {
        guard ["RIFF", "RF64"].contains(try tag()) else { return false }
        knowsLength = try integer(4) == count - 8
        return try tag() == "WAVE"
    }

    /// Reads the length of the samples from the chunk that RF64 files have for it. Source: EBU Tech 3306.
    mutating func takeLength(_ chunk: Chunk) throws(AudioError) {
        var reader = Reader(chunk)
        try reader.skip(8)
        let length = UInt64(truncatingIfNeeded: try reader.integer(8))
        longLength = Int(clamping: length)
    }

    /// The next chunk; `nil` at the end. Samples that are still being written have a length beyond the end of the file,
    /// or none, as the file then has not either.
    mutating func chunk() throws(AudioError) -> Chunk? {
        guard rest.count >= 8 else { return nil }
        let tag = try tag()
        var length = try integer(4)
        if tag == "data", length == UInt32.max, let longLength { length = longLength }
        let isOpen = tag == "data" && (length == 0 && !knowsLength || length > rest.count)
        place = "its '\(tag)' chunk"
        let chunk = Chunk(tag: tag, bytes: try take(isOpen ? rest.count : length))
        rest = rest.dropFirst(length % 2)  // chunks begin at even offsets
        return chunk
    }
}
