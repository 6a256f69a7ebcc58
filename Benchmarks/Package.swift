// swift-tools-version: 6.2
import PackageDescription

/// Replaces the allocator's functions by the counting ones of `RuntimeCounter.swift`.
let counted = ["malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"]
    .flatMap { ["-Xlinker", "--defsym=\($0)=leap_\($0)"] }

// A separate package, so that apps which depend on leap-swift do not resolve dependencies of the benchmarks.

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "leap-swift", path: ".."),
        // Without traits: those would interpose malloc and the runtime's reference counting in every benchmark, whose
        // times would then include the counting.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "LeapBenchmarks",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "LeapChat", package: "leap-swift"),
                .product(name: "LeapGGUF", package: "leap-swift"),
                .product(name: "LeapTokenizer", package: "leap-swift"),
                .product(name: "_LeapInternals", package: "leap-swift"),
            ],
            path: "Benchmarks/LeapBenchmarks",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ],
            linkerSettings: [.unsafeFlags(counted, .when(platforms: [.linux]))],
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ],
    swiftLanguageModes: [.v6]
)
