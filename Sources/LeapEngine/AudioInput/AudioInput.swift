import LeapAudio
import LeapBlocks
import LeapDigest
public import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps

/// What lets a language model hear: an audio encoder, and how its rows get into prompts.
///
/// To build a prompt, only a sound's length is needed. The sound is resampled and encoded only when a pass is about to read
/// its rows, and not at all if the prefix cache has them.
public final class AudioInput: Sendable {
    private let encoder: AudioEncoder
    private let spectrogram: LogMelSpectrogram
    private let projector: ProjectorFile
    private let compute: Compute
    private let known = EncodedRows()
    /// What is listened to.
    static let limits = SoundLimits()

    init(_ encoder: AudioEncoder, _ projector: ProjectorFile, _ compute: Compute) {
        self.encoder = encoder
        self.projector = projector
        self.compute = compute
        spectrogram = LogMelSpectrogram(bands: encoder.configuration.bands)
    }

    /// The projector's file.
    public var file: GGUFFile { encoder.file }

    /// Adds a sound's rows, without any tokens around them.
    ///
    /// - Throws: ``EngineError/sound(number:_:)``.
    func append(_ sound: Sound, number: Int, to prompt: inout Prompt) throws {
        do { prompt.append(try media(of: sound)) } catch let error as AudioError {
            throw EngineError.sound(number: number, error)
        }
    }

    /// A sound, not encoded yet.
    func media(of sound: Sound) throws -> PromptMedia {
        let recording = try recording(of: sound)
        let frames = LogMelSpectrogram.frames(
            ofSamples: Self.resampler(recording).count(of: recording.samples.count))
        let digest = try digest(of: sound)
        return PromptMedia(digest: digest, rowCount: encoder.configuration.rows(ofFrames: frames)) { [self] digest in
            AudioEncoding(self, sound, digest)
        }
    }

    private func recording(of sound: Sound) throws(AudioError) -> Recording {
        let recording = try Recording(wav: sound.bytes)
        try recording.check(Self.limits)
        return recording
    }

    private static func resampler(_ recording: Recording) -> Resampler {
        Resampler(from: recording.sampleRate, to: LogMelSpectrogram.sampleRate)
    }

    /// Identifies a sound's rows: a digest of the file and of the encoder.
    private func digest(of sound: Sound) throws -> [UInt8] {
        var hash = SHA256()
        hash.update(data: sound.digest)
        hash.update(data: Array("sound \(compute.arithmetic)\n".utf8))
        hash.update(data: try projector.digest())
        return hash.finalize()
    }

    // MARK: - Rows

    /// What the model reads of a sound.
    func rows(of sound: Sound) throws -> SoundRows {
        let recording = try recording(of: sound)
        return SoundRows(
            sampleRate: recording.sampleRate, sampleCount: recording.samples.count, rows: try media(of: sound).rows())
    }

    /// Rows that were made lately.
    func knownRows(_ digest: [UInt8]) -> [[Float]]? { known.rows(digest) }

    /// Keeps rows for the next time.
    func store(_ rows: [[Float]], _ digest: [UInt8]) { known.store(rows, digest) }

    /// Begins to make the rows of a sound.
    func begin(_ sound: Sound) throws -> SoundEncoding {
        let recording = try recording(of: sound)
        return try encoder.begin(spectrogram(Self.resampler(recording)(recording.samples)), compute)
    }
}
