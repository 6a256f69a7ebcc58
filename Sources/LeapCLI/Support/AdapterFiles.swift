import LeapEngine
import LeapGGUF
import LeapModels
import LeapToolSupport

extension AdapterFlags {
    /// Adds the adapters to the options of a load.
    func apply(to options: inout ModelOptions) {
        options.adapters = all.map { AdapterOptions(path: $0.path, scale: $0.scale) }
    }

    /// The adapters' files.
    var paths: [String] { all.map(\.path) }

    /// Opens the adapters, for commands that load a model themselves.
    func open() throws -> [Adapter] {
        try all.map { Adapter(try LoRAFile(GGUFFile(path: $0.path)), scale: $0.scale) }
    }
}
