import LeapGGUF
import LeapHTTP

/// Checks the architecture of a model as soon as its first bytes have arrived, so that no gigabytes are downloaded for
/// a model that cannot be run.
struct ArchitectureCheck {
    /// Gives up on files whose architecture is not within this many bytes, where writers usually put it.
    private static let limit: Int64 = 64 << 20

    private let file: RemoteFile
    /// The architectures that can be run; `nil` to skip the check.
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
    mutating func check(_ partial: PartialFile, isWhole: Bool = false) throws {
        guard let supported, partial.count >= next || isWhole && next < .max else { return }
        do {
            let found = try partial.ask(upTo: Self.limit) { try $0.architecture() }
            let isDecided = found != nil || partial.count >= Self.limit
            next = isDecided ? .max : max(partial.count * 2, 1 << 16)
            guard let found, let architecture = found, !supported.contains(architecture) else { return }
            throw HubError.unsupportedArchitecture(file.url.withoutSecrets, architecture, supported: supported)
        } catch is GGUFError {
            // Not a GGUF file, or an invalid one: other checks report that.
            next = .max
        }
    }
}
