public import Foundation

extension WAVFile {
    /// Reads a file.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` for what is no WAV file, has samples of another format, or ends
    ///   early.
    public init(data: Data) throws(LeapError) {
        var reader = Reader(bytes: [UInt8](data))
        guard try reader.tag("a RIFF header") == "RIFF", try reader.skip(4, "a RIFF header"),
            try reader.tag("a RIFF header") == "WAVE"
        else { throw .notWAV("its first bytes are not a WAV file's; MP3, AAC, M4A and OGG must be converted") }
        var format: Format?
        while let chunk = try reader.chunk() {
            if chunk.tag == "fmt " { format = try Format(chunk.bytes) }
            guard chunk.tag == "data" else { continue }
            guard let format else { throw .notWAV("the samples come before their description") }
            self.init(
                samples: format.samples(chunk.bytes), sampleRate: format.sampleRate, channelCount: format.channelCount)
            return
        }
        throw .notWAV("it has no samples")
    }

    /// How samples are written.
    private struct Format {
        let isFloat: Bool
        let bytesPerSample: Int
        let channelCount: Int
        let sampleRate: Int

        init(_ bytes: ArraySlice<UInt8>) throws(LeapError) {
            var reader = Reader(bytes: Array(bytes))
            var code = UInt16(try reader.integer(2, "the description of the samples"))
            channelCount = try reader.integer(2, "the description of the samples")
            sampleRate = try reader.integer(4, "the description of the samples")
            try reader.skip(6, "the description of the samples")
            let bits = try reader.integer(2, "the description of the samples")
            if code == Encoding.extensible {
                try reader.skip(8, "the description of the samples")
                code = UInt16(try reader.integer(2, "the description of the samples"))
            }
            guard channelCount > 0, sampleRate > 0 else {
                throw .notWAV("it has \(channelCount) channels with \(sampleRate) samples a second")
            }
            isFloat = code == Encoding.float
            guard isFloat && bits == 32 || code == Encoding.integer && [16, 24, 32].contains(bits) else {
                throw .notWAV(
                    "its samples have format \(code) with \(bits) bits, but 32-bit floats (format 3) or 16-, 24- or 32-bit "
                        + "integers (format 1) are needed")
            }
            bytesPerSample = bits / 8
        }

        /// The samples in -1...1; what does not fill the last one is left out.
        func samples(_ bytes: ArraySlice<UInt8>) -> [Float] {
            stride(from: bytes.startIndex, through: bytes.endIndex - bytesPerSample, by: bytesPerSample).map { start in
                // The highest bytes of a 32-bit word, so that its sign is the sample's.
                var word: UInt32 = 0
                for byte in bytes[start..<start + bytesPerSample].reversed() { word = word << 8 | UInt32(byte) }
                word <<= UInt32(32 - 8 * bytesPerSample)
                return isFloat ? Float(bitPattern: word) : Float(Int32(bitPattern: word)) / 0x1p31
            }
        }
    }
}

/// Takes bytes off the front.
private struct Reader {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func take(_ count: Int, _ what: String) throws(LeapError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else {
            throw .notWAV("it ends at byte \(bytes.count), inside \(what)")
        }
        defer { position += count }
        return bytes[position..<position + count]
    }

    @discardableResult
    mutating func skip(_ count: Int, _ what: String) throws(LeapError) -> Bool {
        _ = try take(count, what)
        return true
    }

    mutating func tag(_ what: String) throws(LeapError) -> String {
        String(decoding: try take(4, what), as: UTF8.self)
    }

    mutating func integer(_ count: Int, _ what: String) throws(LeapError) -> Int {
        try take(count, what).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The next chunk; `nil` at the end. Samples that are still being written have a length beyond the end of the file.
    mutating func chunk() throws(LeapError) -> (tag: String, bytes: ArraySlice<UInt8>)? {
        guard bytes.count - position >= 8 else { return nil }
        let tag = try tag("a chunk's header")
        let length = try integer(4, "a chunk's header")
        let available = tag == "data" ? min(length, bytes.count - position) : length
        let chunk = (tag, try take(available, "its '\(tag)' chunk"))
        position = min(bytes.count, position + length % 2)  // chunks begin at even places
        return chunk
    }
}
