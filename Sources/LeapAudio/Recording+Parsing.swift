public import Foundation

extension Recording {
    /// Reads a WAV file of uncompressed samples: 32-bit floats or 16-, 24- or 32-bit integers, little-endian.
    ///
    /// If the samples end before their stated length, as in a file that is still being written or whose recorder
    /// stopped, they are read as far as they go; a length of zero with bytes after it means that it was never filled
    /// in.
    ///
    /// - Throws: ``AudioError/notWAV(reason:)`` if it is not a WAV file, has samples of another format, or ends before
    ///   them.
    public init(wav data: Data) throws(AudioError) {
        var reader = Reader(bytes: data)
        guard ["RIFF", "RF64"].contains(try reader.tag("a RIFF header")), try reader.skip(4, "a RIFF header"),
            try reader.tag("a RIFF header") == "WAVE"
        else {
            throw .notWAV(
                reason: "it does not start with a WAV header; convert MP3, AAC, M4A and OGG files to WAV")
        }
        var format: SampleFormat?
        while let chunk = try reader.chunk() {
            if chunk.tag == "fmt " { format = try SampleFormat(chunk.bytes) }
            if chunk.tag == "ds64" { try reader.takeLength(chunk.bytes) }
            guard chunk.tag == "data" else { continue }
            guard let format else { throw .notWAV(reason: "its 'data' chunk comes before its 'fmt ' chunk") }
            self.init(
                samples: format.samples(chunk.bytes), sampleRate: format.sampleRate, channelCount: format.channelCount)
            return
        }
        throw .notWAV(reason: "it has no 'data' chunk")
    }
}

/// How samples are encoded.
private struct SampleFormat {
    let isFloat: Bool
    let bytesPerSample: Int
    let channelCount: Int
    let sampleRate: Int

    init(_ bytes: Data) throws(AudioError) {
        let place = "its 'fmt ' chunk"
        var reader = Reader(bytes: bytes)
        var code = try reader.integer(2, place)
        channelCount = try reader.integer(2, place)
        sampleRate = try reader.integer(4, place)
        try reader.skip(4, place)
        let frameBytes = try reader.integer(2, place)
        let bits = try reader.integer(2, place)
        if code == WAVCode.extensible {
            try reader.skip(8, place)
            code = try reader.integer(2, place)
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
    /// The 64-bit length of the samples, if 32 bits are not enough.
    private var longLength: Int?

    init(bytes: Data) {
        rest = bytes
        count = bytes.count
    }

    private mutating func take(_ length: Int, _ what: String) throws(AudioError) -> Data {
        guard length <= rest.count else { throw .notWAV(reason: "it ends at byte \(count), inside \(what)") }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }

    @discardableResult
    mutating func skip(_ length: Int, _ what: String) throws(AudioError) -> Bool {
        _ = try take(length, what)
        return true
    }

    mutating func tag(_ what: String) throws(AudioError) -> String {
        String(decoding: try take(4, what), as: UTF8.self)
    }

    mutating func integer(_ length: Int, _ what: String) throws(AudioError) -> Int {
        try take(length, what).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads the length of the samples from the chunk that RF64 files have for it. Source: EBU Tech 3306.
    mutating func takeLength(_ bytes: Data) throws(AudioError) {
        var reader = Reader(bytes: bytes)
        try reader.skip(8, "its 'ds64' chunk")
        let length = UInt64(truncatingIfNeeded: try reader.integer(8, "its 'ds64' chunk"))
        longLength = Int(clamping: length)
    }

    /// The next chunk; `nil` at the end. Samples that are still being written have a length beyond the end of the file,
    /// or none.
    mutating func chunk() throws(AudioError) -> (tag: String, bytes: Data)? {
        guard rest.count >= 8 else { return nil }
        let tag = try tag("a chunk header")
        var length = try integer(4, "a chunk header")
        if tag == "data", length == UInt32.max, let longLength { length = longLength }
        let isOpen = tag == "data" && (length == 0 || length > rest.count)
        let available = isOpen ? rest.count : length
        let chunk = (tag, try take(available, "its '\(tag)' chunk"))
        rest = rest.dropFirst(length % 2)  // chunks begin at even offsets
        return chunk
    }
}
