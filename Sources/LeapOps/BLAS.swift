#if canImport(Accelerate)
import Accelerate
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The one operation that is delegated to the system's BLAS, Accelerate on Apple platforms and OpenBLAS elsewhere: the
/// product of two matrices of 32-bit floats.
///
/// The library is called from our own worker threads and must not start threads of its own. Accelerate is used through the
/// declarations that `ACCELERATE_NEW_LAPACK` selects, see `Package.swift`.
enum BLAS {
    /// The library's name, its version, and what it chooses its arithmetic by: libraries of equal descriptions compute
    /// equal results. Accelerate is a part of the system.
    static let description: String = {
        #if canImport(Accelerate)
        let chip = SystemControl.text("machdep.cpu.brand_string") ?? SystemControl.text("hw.machine")
        return "Accelerate of \(SystemControl.text("kern.osversion") ?? "?") on \(chip ?? "?")"
        #else
        OpenBLAS.shared?.description ?? "none: \(OpenBLAS.names[0]) is not installed"
        #endif
    }()

    /// The number of activation rows in every call, chosen such that a row's result does not depend on its place in the
    /// call or on the other rows; `nil` without a library, or if no size has this property.
    ///
    /// Libraries choose their arithmetic by the size of the operands, and some also by the place of a row: OpenBLAS
    /// does so on Haswell and Zen from seventeen rows on. The only way to find out is to try.
    static let blockRows: Int? = {
        #if !canImport(Accelerate)
        guard OpenBLAS.shared != nil else { return nil }
        #endif
        return [32, 16, 8].first { isIndifferentToPlaces(rows: $0) }
    }()

    /// Whether equal rows get equal products at any position in a call.
    private static func isIndifferentToPlaces(rows: Int) -> Bool {
        [(17, 42), (96, 256), (130, 1000)].allSatisfy { weightRows, depth in
            // Numbers without a pattern that would hide the order of additions.
            func floats(_ count: Int) -> [Float] { (0..<count).map { Float($0 * 7919 % 1009) / 1009 - 0.5 } }
            let x = Array(repeatElement(floats(depth), count: rows).joined())
            var output = [Float](repeating: 0, count: weightRows * rows)
            multiply(
                floats(weightRows * depth), rows: weightRows, byTransposed: x, columns: rows, depth: depth,
                into: &output)
            return output.indices.allSatisfy { output[$0] == output[$0 - $0 % rows] }
        }
    }

    /// `output[i][j] = Σ_k a[i][k] · b[j][k]` for `i < rows`, `j < columns`, `k < depth`. Does nothing without
    /// a library.
    ///
    /// - Parameters:
    ///   - a: `[rows, depth]`, contiguous.
    ///   - b: `[columns, depth]`, contiguous.
    ///   - output: `[rows, columns]`, contiguous.
    static func multiply(
        _ a: UnsafePointer<Float>, rows: Int, byTransposed b: UnsafePointer<Float>, columns: Int, depth: Int,
        into output: UnsafeMutablePointer<Float>
    ) {
        #if canImport(Accelerate)
        // Set for the calling thread only, which may be the app's.
        let threading = BLASGetThreading()
        BLASSetThreading(BLAS_THREADING_SINGLE_THREADED)
        defer { BLASSetThreading(threading) }
        cblas_sgemm(
            CblasRowMajor, CblasNoTrans, CblasTrans, Int32(rows), Int32(columns), Int32(depth), 1, a, Int32(depth), b,
            Int32(depth), 0, output, Int32(columns))
        #else
        OpenBLAS.shared?.sgemm(
            OpenBLAS.rowMajor, OpenBLAS.noTranspose, OpenBLAS.transpose, Int32(rows), Int32(columns), Int32(depth), 1,
            a, Int32(depth), b, Int32(depth), 0, output, Int32(columns))
        #endif
    }
}

#if canImport(Accelerate)
/// What the system says about itself.
private enum SystemControl {
    /// A text by its name; `nil` where this system has none of the name.
    static func text(_ name: String) -> String? {
        var count = 0
        guard sysctlbyname(name, nil, &count, nil, 0) == 0, count > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        guard sysctlbyname(name, &bytes, &count, nil, 0) == 0 else { return nil }
        return String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
    }
}
#else
/// OpenBLAS, loaded when the first product needs it.
///
/// It starts threads when it is loaded, which spin for some ten milliseconds next to ours: linked to the program, they
/// would take a third of the time to the first token even of a model that never uses them.
private struct OpenBLAS: Sendable {
    /// `cblas_sgemm` where `blasint` is 32 bits wide.
    typealias SGEMM =
        @convention(c) (
            _ order: Int32, _ transA: Int32, _ transB: Int32, _ m: Int32, _ n: Int32, _ k: Int32, _ alpha: Float,
            _ a: UnsafePointer<Float>, _ lda: Int32, _ b: UnsafePointer<Float>, _ ldb: Int32, _ beta: Float,
            _ c: UnsafeMutablePointer<Float>, _ ldc: Int32
        ) -> Void
    private typealias SetThreads = @convention(c) (Int32) -> Void
    private typealias Text = @convention(c) () -> UnsafePointer<CChar>?

    // Enumeration values from cblas.h.
    static let rowMajor: Int32 = 101
    static let noTranspose: Int32 = 111
    static let transpose: Int32 = 112

    /// The library's file name, with and without the interface version.
    static let names = ["libopenblas.so.0", "libopenblas.so"]

    /// The library; `nil` if it is not installed.
    static let shared = OpenBLAS()

    let sgemm: SGEMM
    let description: String

    private init?() {
        let opened = Self.names.lazy.compactMap { dlopen($0, RTLD_NOW | RTLD_LOCAL) }.first
        guard let opened, let sgemm = dlsym(opened, "cblas_sgemm"),
            let setThreads = dlsym(opened, "openblas_set_num_threads")
        else { return nil }
        self.sgemm = unsafeBitCast(sgemm, to: SGEMM.self)
        unsafeBitCast(setThreads, to: SetThreads.self)(1)
        let config = Self.text("openblas_get_config", of: opened)
        description = "OpenBLAS \(config), core \(Self.text("openblas_get_corename", of: opened))"
    }

    /// The result of a function without parameters.
    private static func text(_ name: String, of library: UnsafeMutableRawPointer) -> String {
        guard let symbol = dlsym(library, name), let text = unsafeBitCast(symbol, to: Text.self)() else { return "?" }
        return String(cString: text)
    }
}
#endif
