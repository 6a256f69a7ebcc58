package import Foundation

/// Audio formats, by their names in OpenAI's `input_audio`.
package enum AudioFormat: String, CaseIterable {
    case wav, mp3, flac, ogg

    /// Detects the format of a file by its first bytes. An unknown format counts as WAV, which models accept.
    package init(of data: Data) {
        let bytes = Array(data.prefix(2))
        if data.starts(with: "ID3".utf8) || bytes.count == 2 && bytes[0] == 0xFF && Self.isLayer(bytes[1]) {
            self = .mp3
        } else {
            self = data.starts(with: "fLaC".utf8) ? .flac : data.starts(with: "OggS".utf8) ? .ogg : .wav
        }
    }

    /// Whether a byte after 0xFF is that of an MPEG frame's header: three bits of synchronisation, and a layer (ISO/IEC
    /// 11172-3, 2.4.1.3). AAC's frames have none.
    private static func isLayer(_ byte: UInt8) -> Bool { byte & 0xE0 == 0xE0 && byte & 0x06 != 0 }
}
