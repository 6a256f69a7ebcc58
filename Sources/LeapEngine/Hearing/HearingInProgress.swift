import LeapGeneration
import LeapModels

/// The rows of a sound while they are made: found where they were made lately, else of its samples, a part at a time.
final class HearingInProgress: MediaEncoding {
    private let hearing: Hearing
    private let sound: Sound
    private let digest: [UInt8]
    /// `nil` until the spectrogram is made.
    private var encoding: SoundEncoding?

    init(_ hearing: Hearing, _ sound: Sound, _ digest: [UInt8]) {
        self.hearing = hearing
        self.sound = sound
        self.digest = digest
    }

    var progress: Double { encoding?.progress ?? 0 }

    func advance(_ isCancelled: () -> Bool) throws -> [[Float]]? {
        guard let encoding else {
            if let rows = hearing.knownRows(digest) { return rows }
            encoding = try hearing.begin(sound)
            return nil
        }
        do throws(ModelError) {
            guard let rows = try encoding.advance(shouldContinue: { !isCancelled() }) else { return nil }
            hearing.store(rows, digest)
            return rows
        } catch .cancelled {
            return nil
        }
    }
}
