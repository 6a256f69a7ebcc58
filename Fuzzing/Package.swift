// swift-tools-version: 6.2
import PackageDescription

// A separate package, because all of it, and everything that it imports, must be built with the sanitizer `fuzzer`:
// see `scripts/fuzz`.

let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "leap-swift", path: "..")],
    targets: [
        .executableTarget(
            name: "FuzzModels",
            dependencies: [
                .product(name: "LeapChat", package: "leap-swift"),
                .product(name: "LeapGGUF", package: "leap-swift"),
                .product(name: "LeapTokenizer", package: "leap-swift"),
                .product(name: "_LeapInternals", package: "leap-swift"),
            ],
            swiftSettings: [
                .unsafeFlags(["-parse-as-library"]),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableExperimentalFeature("Extern"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
