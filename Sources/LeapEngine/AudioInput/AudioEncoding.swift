import LeapGeneration
import LeapModels

/// The rows of a sound while they are made. Rows that were made lately are found again; others are made of its samples, a part
/// at a time.
final class AudioEncoding: MediaEncoding {
    private let audioInput: AudioInput
    private let sound: Sound
    private let digest: [UInt8]
    /// `nil` until the spectrogram is made.
    private var encoding: SoundEncoding?

    init(_ audioInput: AudioInput, _ sound: Sound, _ digest: [UInt8]) {
        self.audioInput = audioInput
        self.sound = sound
        self.digest = digest
    }

    var progress: Double { encoding?.progress ?? 0 }

    func advance(_ isCancelled: () -> Bool) throws -> [[Float]]? {
        guard let encoding else {
            if let rows = audioInput.knownRows(digest) { return rows }
            encoding = try audioInput.begin(sound)
            return nil
        }
        do throws(ModelError) {
            guard let rows = try encoding.advance(shouldContinue: { !isCancelled() }) else { return nil }
            audioInput.store(rows, digest)
            return rows
        } catch .cancelled {
            return nil
        }
    }
}
