#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Memory that is whole pages of the system's, not a part of the heap, and zero at first.
///
/// What sequences remember is large, lives long, and goes in another order than it came, as a cache forgets; in the heap it
/// would leave holes between small things that nothing of its size fits into, and a process that chats for days would grow.
enum SystemPages {
    /// Takes memory; `nil` where the system has none.
    static func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
        return memory == MAP_FAILED ? nil : memory
    }

    /// Gives memory back.
    static func free(_ memory: UnsafeMutableRawPointer, byteCount: Int) { munmap(memory, byteCount) }
}
