import LeapGGUF
import LeapHTTP

/// Looks at the architecture of a model while its first bytes arrive, so that nobody waits for gigabytes that cannot be run.
struct ArchitectureCheck {
    /// A file that has not told its architecture by then does not put it where others do.
    private static let limit: Int64 = 64 << 20

    private let file: RemoteFile
    /// What can be run; nil if nobody wants to know.
    private let supported: [String]?
    /// The bytes that have to be here before it is worth looking.
    private var next: Int64 = 1

    init(_ file: RemoteFile, supported: [String]?) {
        self.file = file
        self.supported = file.role == .model ? supported : nil
    }

    /// Looks, if there is more to be seen than the last time.
    ///
    /// - Parameter isWhole: Whether no more bytes will come.
    /// - Throws: ``HubError/unsupportedArchitecture(_:_:supported:)``, or what reading throws.
    mutating func look(at partial: PartialFile, isWhole: Bool = false) throws {
        guard let supported, partial.count >= next || isWhole && next < .max else { return }
        do {
            let found = try partial.ask(upTo: Self.limit) { try $0.architecture() }
            let isDecided = found != nil || partial.count >= Self.limit
            next = isDecided ? .max : max(partial.count * 2, 1 << 16)
            guard let found, let architecture = found, !supported.contains(architecture) else { return }
            throw HubError.unsupportedArchitecture(file.url.withoutSecrets, architecture, supported: supported)
        } catch is GGUFError {
            // No GGUF file, or a broken one: that is for others to say.
            next = .max
        }
    }
}
