#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A system library that is opened on first use, so that it is not needed for building or starting (decision 0044). It
/// is never closed.
struct SystemLibrary: @unchecked Sendable {
    // `dlsym` may be called with the handle from any thread.
    private let handle: UnsafeMutableRawPointer

    /// Opens the first of these files that exists.
    init?(_ names: [String]) {
        let opened = names.lazy.compactMap { dlopen($0, RTLD_NOW | RTLD_LOCAL) }.first
        guard let opened else { return nil }
        handle = opened
    }

    /// A function by name, of the C type that the library's header declares; `nil` if the library does not have it.
    func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(handle, name).map { unsafeBitCast($0, to: type) }
    }
}
