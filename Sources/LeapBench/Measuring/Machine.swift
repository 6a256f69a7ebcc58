import Foundation

/// Properties that the machine reports.
enum Machine {
    /// The processor's name, or an empty string if the system does not report it.
    static let processor: String = {
        #if canImport(Darwin)
        return systemText("machdep.cpu.brand_string") ?? ""
        #else
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        #endif
    }()

    /// The size of the largest cache in bytes, or a generous guess.
    static let lastLevelCache: Int = {
        #if canImport(Darwin)
        let sizes = ["hw.l3cachesize", "hw.perflevel0.l2cachesize", "hw.l2cachesize"].compactMap(systemNumber)
        #else
        let sizes = (0..<8).compactMap { index in
            let path = "/sys/devices/system/cpu/cpu0/cache/index\(index)/size"
            return (try? String(contentsOfFile: path, encoding: .utf8)).flatMap(cacheSize)
        }
        #endif
        return sizes.max() ?? 64 << 20
    }()

    /// Parses the kernel's `32768K`, `2M` or `512` to bytes.
    static func cacheSize(_ text: String) -> Int? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let shift = text.hasSuffix("K") ? 10 : text.hasSuffix("M") ? 20 : 0
        guard let number = Int(shift == 0 ? text[...] : text.dropLast()), number < 1 << 40 else { return nil }
        return number << shift
    }

    #if canImport(Darwin)
    private static func systemNumber(_ name: String) -> Int? {
        var value: Int64 = 0
        var size = MemoryLayout<Int64>.size
        return sysctlbyname(name, &value, &size, nil, 0) == 0 && value > 0 ? Int(value) : nil
    }

    private static func systemText(_ name: String) -> String? {
        var size = 0
        guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    #endif
}
