#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if !canImport(Darwin)
/// Small text files in which the operating system's kernel reports on the process and the machine.
enum KernelFile {
    /// The lines of a file; empty if it cannot be read.
    static func lines(of path: String) -> [String] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var lines: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while buffer.withUnsafeMutableBytes({ bytes in
            fgets(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), file) != nil
        }) {
            let line = buffer.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") }
            lines.append(String(decoding: line, as: UTF8.self))
        }
        return lines
    }
}
#endif
