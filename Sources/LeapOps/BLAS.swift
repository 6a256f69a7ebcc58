#if canImport(Accelerate)
import Accelerate
#else
import COpenBLAS
#endif

/// The one operation that is left to the system's BLAS, Accelerate on Apple platforms and OpenBLAS elsewhere: the
/// product of two matrices of 32-bit floats.
///
/// The library is called from our own worker threads and must not start threads of its own.
enum BLAS {
    /// The library's name and version.
    static let description: String = {
        #if canImport(Accelerate)
        "Accelerate"
        #else
        "OpenBLAS \(String(cString: openblas_get_config())), core \(String(cString: openblas_get_corename()))"
        #endif
    }()

    /// Keeps the library single-threaded. Evaluated once, before the first product.
    private static let singleThreaded: Void = {
        #if !canImport(Accelerate)
        openblas_set_num_threads(1)
        #endif
    }()

    /// `output[i][j] = Σ_k x[i][k] · w[j][k]` for `i < rows`, `j < columns`, `k < depth`.
    ///
    /// - Parameters:
    ///   - x: `[rows, depth]`, contiguous.
    ///   - w: `[columns, depth]`, contiguous.
    ///   - output: `[rows, columns]`, `outputStride` floats from one row to the next.
    static func multiply(
        _ x: UnsafePointer<Float>, rows: Int, byTransposed w: UnsafePointer<Float>, columns: Int, depth: Int,
        into output: UnsafeMutablePointer<Float>, outputStride: Int
    ) {
        _ = singleThreaded
        #if canImport(Accelerate)
        typealias Size = Int32
        #else
        typealias Size = blasint
        #endif
        cblas_sgemm(
            CblasRowMajor, CblasNoTrans, CblasTrans, Size(rows), Size(columns), Size(depth), 1, x, Size(depth), w,
            Size(depth), 0, output, Size(outputStride))
    }
}
