#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A library of the system that is opened when it is first needed, so that nothing needs it to build or to start
/// (decision 0044). It stays open.
struct SystemLibrary: @unchecked Sendable {
    // A handle is a number to dlsym, which any thread may call.
    private let handle: UnsafeMutableRawPointer

    /// Opens the first of these files that there is.
    init?(_ names: [String]) {
        let opened = names.lazy.compactMap { dlopen($0, RTLD_NOW | RTLD_LOCAL) }.first
        guard let opened else { return nil }
        handle = opened
    }

    /// A function by its name, of the C type that the library's header declares; `nil` where it has none of this name.
    func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(handle, name).map { unsafeBitCast($0, to: type) }
    }
}
