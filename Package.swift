// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// MARK: - Traits

/// Parts that an app can do without in order to build in a fraction of the time, see docs/decisions/0031: one trait
/// each, whose name is a condition in the sources.
let parts = ["Downloads", "Macros", "Server"]

/// The default trait is a single one for all parts: SwiftPM before 6.4 passes several to the compiler in random order,
/// and recompiles everything when that order changes, see docs/decisions/0073.
let everything = "Everything"

/// The traits that enable a part.
func with(_ part: String) -> Set<String> { [part, everything] }

// MARK: - Settings

/// The check script turns warnings into errors; warnings of a newer compiler must not break other people's builds.
let warnings: [SwiftSetting] =
    Context.environment["LEAP_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// For every target: imports are internal unless declared otherwise, so that the direction of the architecture is
/// visible in the source and checked by the compiler (SE-0409, SE-0444).
let common: [SwiftSetting] =
    warnings + parts.map { .define($0, .when(traits: [everything])) } + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

/// A kernel target is optimised in debug builds too, and as a whole module, so that helpers shared between its files
/// are inlined. `-num-threads` keeps one object file per source, which a debug build expects. One of them uses the
/// compiler's own builtin module, see `Prefetch.swift`.
///
/// - Parameter level: The condition by which sources shared between levels know what they are compiled for.
func kernels(_ level: String, _ flags: [String] = []) -> [SwiftSetting] {
    common + [
        .enableExperimentalFeature("BuiltinModule"), .define(level),
        .unsafeFlags(["-Ounchecked", "-disable-batch-mode", "-wmo", "-num-threads", "2"] + flags),
    ]
}

/// Numeric code that is not a kernel, but would make a debug build unusably slow if it were not optimised.
let optimized: [SwiftSetting] = common + [.unsafeFlags(["-O", "-disable-batch-mode", "-wmo", "-num-threads", "2"])]

/// Hash functions may use the CPU's instructions for them. Unlike a level's flags, theirs does not make the compiler
/// use these instructions in other code.
let hashing: [SwiftSetting] =
    optimized + [.unsafeFlags(clang(["-msha"], on: .x86_64), .when(platforms: [.linux, .android]))]

/// Accelerate's present declarations of BLAS, which have replaced those that its header calls deprecated.
let accelerate: [SwiftSetting] = [
    .unsafeFlags(
        ["-Xcc", "-DACCELERATE_NEW_LAPACK"], .when(platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]))
]

/// Under the traits `Leap0107` and `Leap010`, responses are a protocol, whose bare name must be usable as a type in the
/// API's signatures.
let responses: [SwiftSetting] = [
    .unsafeFlags(["-disable-upcoming-feature", "ExistentialAny"], .when(traits: ["Leap0107", "Leap010"]))
]

// MARK: - CPU levels

/// A target architecture, which need not be that of the build machine: a program for macOS is compiled for both, and
/// one for a phone on any machine.
enum Architecture {
    case x86_64, arm64

    /// Clang's names, on Apple's systems and elsewhere.
    var names: [String] { self == .arm64 ? ["arm64", "aarch64"] : ["x86_64"] }
}

/// Passes options to Clang, which selects the instructions, if the target has this architecture; otherwise they have no
/// effect, and Clang does not warn about that.
func clang(_ options: [String], on architecture: Architecture) -> [String] {
    #if compiler(<6.3) && os(Linux)
    // Since Swift 6.3, Clang can check the architecture of Linux targets. Before, levels are those of the build
    // machine.
    #if arch(x86_64)
    let isHere = architecture == .x86_64
    #else
    let isHere = architecture == .arm64
    #endif
    return isHere ? options.flatMap { ["-Xcc", $0] } : []
    #else
    let flags = architecture.names.flatMap { name in options.flatMap { ["-Xarch_\(name)", $0] } }
    return (["-Qunused-arguments"] + flags).flatMap { ["-Xcc", $0] }
    #endif
}

// Every level is a target on every platform. Its sources are conditional on the architecture, so that on other ones it
// is an empty module.
let levelTargets: [Target] = [
    .target(name: "LeapKernelsPortable", dependencies: ["LeapBlocks"], swiftSettings: kernels("PORTABLE")),
    .target(
        name: "LeapKernelsX86V3", dependencies: ["LeapBlocks"],
        // Aligned stacks: values spilled from the 16 registers must not straddle cache lines.
        swiftSettings: kernels("X86_64", clang(["-march=x86-64-v3", "-mstackrealign"], on: .x86_64))),
    .target(
        name: "LeapKernelsX86V3VNNI", dependencies: ["LeapBlocks"],
        swiftSettings: kernels("X86_64", clang(["-march=x86-64-v3", "-mavxvnni", "-mstackrealign"], on: .x86_64))),
    .target(
        name: "LeapKernelsX86V4", dependencies: ["LeapBlocks"],
        swiftSettings: kernels("X86_64", clang(["-march=x86-64-v4", "-mavx512vnni"], on: .x86_64))),
    .target(
        name: "LeapKernelsNEON", dependencies: ["LeapBlocks"],
        swiftSettings: kernels("ARM64", clang(["-march=armv8.2-a+dotprod"], on: .arm64))),
    .target(
        name: "LeapKernelsI8MM", dependencies: ["LeapBlocks"],
        swiftSettings: kernels("ARM64", clang(["-march=armv8.2-a+dotprod+i8mm"], on: .arm64))),
]
let levels = levelTargets.map { Target.Dependency(stringLiteral: $0.name) }

// MARK: - Dependencies under traits

/// AsyncHTTPClient and the packages of its types, where LeapHTTP uses it.
let asyncHTTPClient: [Target.Dependency] = [
    ("AsyncHTTPClient", "async-http-client"), ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio"),
    ("NIOPosix", "swift-nio"), ("NIOSSL", "swift-nio-ssl"),
].map { .product(name: $0, package: $1, condition: .when(platforms: [.linux, .android], traits: with("Downloads"))) }

/// Hummingbird and the packages of its connections, where LeapServer uses them.
let hummingbird: [Target.Dependency] = [
    ("HummingbirdCore", "hummingbird"), ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio"), ("NIOPosix", "swift-nio"),
    ("NIOHTTPTypes", "swift-nio-extras"), ("NIOHTTPTypesHTTP1", "swift-nio-extras"), ("NIOSSL", "swift-nio-ssl"),
].map { .product(name: $0, package: $1, condition: .when(traits: with("Server"))) }

func swiftSyntax(_ products: String...) -> [Target.Dependency] {
    products.map { .product(name: $0, package: "swift-syntax", condition: .when(traits: with("Macros"))) }
}

// MARK: - Package

let package = Package(
    name: "leap-swift",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "LeapSDK", targets: ["LeapSDK"]),
        .library(name: "LeapSDKMacros", targets: ["LeapSDKMacros"]),
        .library(name: "LeapSDKConstrainedGeneration", targets: ["LeapSDKConstrainedGeneration"]),
        .library(name: "LeapSDKTypes", targets: ["LeapSDKTypes"]),
        .library(name: "LeapModelDownloader", targets: ["LeapModelDownloader"]),
        .library(name: "LeapOpenAIClient", targets: ["LeapOpenAIClient"]),
        .library(name: "LeapHybrid", targets: ["LeapHybrid"]),
        .library(name: "LeapGGUF", targets: ["LeapGGUF"]),
        .library(name: "LeapTokenizer", targets: ["LeapTokenizer"]),
        .library(name: "LeapChat", targets: ["LeapChat"]),
        .library(name: "LeapJSON", targets: ["LeapJSON"]),
        // Private, as the underscore indicates: the modules below the public ones, for the package in Benchmarks/.
        .library(
            name: "_LeapInternals",
            targets: [
                "LeapBlocks", "LeapConstraints", "LeapKernels", "LeapOps", "LeapModels", "LeapGeneration",
                "_LeapTestSupport",
            ]),
        .executable(name: "leap", targets: ["leap"]),
        .executable(name: "leap-bench", targets: ["leap-bench"]),
    ],
    traits: [
        .default(enabledTraits: [everything]),
        .trait(name: everything, description: "Downloads, Macros and Server"),
        .trait(name: "Downloads", description: "Network access: downloads and cloud models"),
        .trait(name: "Macros", description: "The macros @Generatable and @Guide, which need swift-syntax"),
        .trait(name: "Server", description: "leap serve, the only part of the package that needs Hummingbird"),
        // Cannot be in the same build as the rest of the API, see docs/decisions/0013.
        .trait(
            name: "Leap02",
            description: "The API of versions 0.1 and 0.2: responses with three cases, and streams that do not throw"),
        .trait(
            name: "Leap06", description: "The API of versions 0.4 to 0.6: the final response has text and usage"),
        .trait(
            name: "Leap0107",
            description: "The API of versions 0.10.0 to 0.10.7: a response protocol, and a class for each error"),
        .trait(
            name: "Leap010",
            description: "The API of versions 0.10.8 and later: the same, with errors also as responses"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        // HTTP where Apple's URLSession is not available, under the trait `Downloads`, and for the tests' own server.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        // The server, under the trait `Server`.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        // For starting processes in tests, and the file types of its API; nothing else uses them.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        // Built only for dependents of LeapSDK or LeapSDKMacros, under the trait `Macros`.
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: [
        // Kernels: block formats, and one target per CPU level.
        .target(name: "LeapBlocks", swiftSettings: optimized),
        .target(name: "LeapKernels", dependencies: ["LeapBlocks"] + levels, swiftSettings: common),

        // Hashes of files and of cached data.
        .target(name: "LeapDigest", swiftSettings: hashing),

        // JSON, which all modules build on.
        .target(
            name: "LeapJSON", dependencies: [.product(name: "OrderedCollections", package: "swift-collections")],
            swiftSettings: optimized),

        // Quantisation of model files.
        .target(
            name: "LeapQuantize", dependencies: ["LeapBlocks", "LeapGGUF", "LeapKernels"], swiftSettings: optimized),

        // Conversion of other tools' model files to GGUF.
        .target(
            name: "LeapConvert",
            dependencies: [
                "LeapBlocks", "LeapDigest", "LeapGGUF", "LeapJSON", "LeapTokenizer",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: optimized),

        // Pixels, without models.
        .target(name: "LeapImages", swiftSettings: optimized),

        // Audio samples, without models.
        .target(name: "LeapAudio", swiftSettings: optimized),

        // Engine: files, tokens, operations, models, chat, generation.
        .target(name: "LeapGGUF", dependencies: ["LeapBlocks"], swiftSettings: optimized),
        .target(
            name: "LeapOps", dependencies: ["LeapBlocks", "LeapKernels"], swiftSettings: optimized + accelerate),
        .target(
            name: "LeapModels", dependencies: ["LeapAudio", "LeapBlocks", "LeapGGUF", "LeapOps"],
            swiftSettings: optimized),
        .target(
            name: "LeapTokenizer",
            dependencies: ["LeapGGUF", .product(name: "HeapModule", package: "swift-collections")],
            swiftSettings: optimized),
        .target(
            name: "LeapTemplate",
            dependencies: ["LeapJSON", .product(name: "OrderedCollections", package: "swift-collections")],
            swiftSettings: optimized),
        .target(
            name: "LeapChat",
            dependencies: [
                "LeapJSON", "LeapTemplate", .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: optimized),
        .target(
            name: "LeapConstraints",
            dependencies: ["LeapJSON", .product(name: "OrderedCollections", package: "swift-collections")],
            swiftSettings: optimized),
        .target(
            name: "LeapGeneration",
            dependencies: [
                "LeapBlocks", "LeapChat", "LeapConstraints", "LeapDigest", "LeapGGUF", "LeapModels", "LeapOps",
                "LeapTokenizer",
            ],
            swiftSettings: optimized),

        // A loaded model that answers conversations: shared by apps, servers and tools.
        .target(
            name: "LeapEngine",
            dependencies: [
                "LeapAudio", "LeapBlocks", "LeapChat", "LeapConstraints", "LeapDigest", "LeapGGUF", "LeapGeneration",
                "LeapImages", "LeapJSON", "LeapModels", "LeapOps", "LeapTokenizer",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common),

        // Network: HTTP requests and downloaded models.
        .target(
            name: "LeapHTTP",
            dependencies: [.product(name: "HTTPTypes", package: "swift-http-types")] + asyncHTTPClient,
            swiftSettings: common),
        .target(
            name: "LeapHub",
            dependencies: [
                "LeapDigest", "LeapGGUF", "LeapHTTP", "LeapJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common),

        .target(
            name: "LeapOpenAIClient",
            dependencies: [
                "LeapHTTP", "LeapJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common),

        // The libraries that apps import.
        .target(
            name: "LeapSDKTypes",
            dependencies: [
                "LeapAudio", "LeapChat", "LeapJSON",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common + responses),
        .target(
            name: "LeapSDKMacros",
            dependencies: [
                "LeapJSON", .target(name: "LeapSDKMacrosPlugin", condition: .when(traits: with("Macros"))),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common),
        .macro(
            name: "LeapSDKMacrosPlugin",
            dependencies: ["LeapSDKMacrosExpansion"]
                + swiftSyntax("SwiftCompilerPlugin", "SwiftSyntax", "SwiftSyntaxMacros"),
            swiftSettings: common),
        // Separate from the plugin: if tests depend on a macro, SwiftPM builds all tests, and all that they import, a
        // second time as tools.
        .target(
            name: "LeapSDKMacrosExpansion",
            dependencies: swiftSyntax(
                "SwiftDiagnostics", "SwiftIfConfig", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder",
                "SwiftSyntaxMacros"),
            swiftSettings: common),
        .target(
            name: "LeapSDK",
            dependencies: [
                "LeapBlocks", "LeapChat", "LeapConstraints", "LeapEngine", "LeapGGUF", "LeapGeneration", "LeapHub",
                "LeapJSON", "LeapModels", "LeapOps", "LeapSDKMacros", "LeapSDKTypes", "LeapTokenizer",
            ],
            swiftSettings: common + responses),

        .target(name: "LeapSDKConstrainedGeneration", dependencies: ["LeapSDK"], swiftSettings: common),
        .target(
            name: "LeapModelDownloader", dependencies: ["LeapHTTP", "LeapHub", "LeapSDK"], swiftSettings: common),
        .target(
            name: "LeapHybrid",
            dependencies: [
                "LeapJSON", "LeapOpenAIClient", "LeapSDKTypes",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common + responses),

        // The server, next to LeapSDK: API dialects on top of LeapEngine, and HTTP.
        .target(
            name: "LeapServer",
            dependencies: [
                "LeapAudio", "LeapBlocks", "LeapChat", "LeapConstraints", "LeapDigest", "LeapEngine", "LeapGGUF",
                "LeapGeneration", "LeapHTTP", "LeapJSON", "LeapModels", "LeapOps", "LeapQuantize", "LeapTokenizer",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ] + hummingbird,
            exclude: ["Page"], swiftSettings: common, plugins: ["EmbedPage"]),

        // Tools and their shared parts.
        .target(name: "LeapBuildInfo", swiftSettings: common, plugins: ["EmbedCommit"]),
        .target(
            name: "LeapToolSupport",
            dependencies: [
                "LeapBlocks", "LeapBuildInfo", "LeapConvert", "LeapEngine", "LeapGGUF", "LeapHTTP", "LeapHub",
                "LeapJSON", "LeapKernels", "LeapModels", "LeapOps", "LeapQuantize",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: common),
        .executableTarget(
            name: "leap",
            dependencies: [
                "LeapAudio", "LeapBlocks", "LeapChat", "LeapConstraints", "LeapConvert", "LeapDigest", "LeapEngine",
                "LeapGGUF", "LeapGeneration", "LeapHTTP", "LeapHub", "LeapJSON", "LeapModels", "LeapOps",
                "LeapQuantize", "LeapTokenizer", "LeapToolSupport",
                .target(name: "LeapServer", condition: .when(traits: with("Server"))),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            path: "Sources/LeapCLI", swiftSettings: common, plugins: ["EmbedDefaultModel"]),
        .executableTarget(
            name: "leap-bench",
            dependencies: [
                "LeapAudio", "LeapBlocks", "LeapBuildInfo", "LeapConstraints", "LeapGGUF", "LeapGeneration", "LeapJSON",
                "LeapModels", "LeapOps", "LeapQuantize", "LeapSDK", "LeapTokenizer", "LeapToolSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/LeapBench", swiftSettings: optimized),

        // The default model and the built commit, embedded in the tools.
        .executableTarget(name: "EmbedFile", swiftSettings: common),
        .plugin(name: "EmbedDefaultModel", capability: .buildTool, dependencies: ["EmbedFile"]),
        .plugin(name: "EmbedCommit", capability: .buildTool, dependencies: ["EmbedFile"]),
        .plugin(name: "EmbedPage", capability: .buildTool, dependencies: ["EmbedFile"]),

        // Tests.
        .target(
            name: "_LeapTestSupport", dependencies: ["LeapBlocks", "LeapGGUF"], swiftSettings: common),
        // Separate from the other test support, which is part of the product _LeapInternals.
        .target(
            name: "_LeapProcessTestSupport",
            dependencies: [
                .product(name: "Subprocess", package: "swift-subprocess"),
                // Built into Apple's platforms.
                .product(
                    name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.linux, .android])),
            ],
            swiftSettings: common),
        .target(
            name: "_LeapHTTPTestSupport",
            dependencies: [
                "_LeapProcessTestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: common),
        .testTarget(name: "LeapDigestTests", dependencies: ["LeapDigest"], swiftSettings: common),
        .testTarget(
            name: "LeapHTTPTests",
            dependencies: [
                "LeapHTTP", "_LeapHTTPTestSupport", "_LeapProcessTestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "LeapOpenAIClientTests",
            dependencies: [
                "LeapHTTP", "LeapJSON", "LeapOpenAIClient", "_LeapHTTPTestSupport", "_LeapTestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "LeapHybridTests",
            dependencies: [
                "LeapHybrid", "LeapJSON", "LeapOpenAIClient", "LeapSDK", "_LeapHTTPTestSupport", "_LeapTestSupport",
            ],
            swiftSettings: common),
        .testTarget(
            name: "LeapHubTests",
            dependencies: [
                "LeapDigest", "LeapHTTP", "LeapHub", "LeapJSON", "_LeapHTTPTestSupport", "_LeapProcessTestSupport",
            ],
            swiftSettings: common),
        .testTarget(name: "LeapBlocksTests", dependencies: ["LeapBlocks"], swiftSettings: common),
        .testTarget(
            name: "LeapQuantizeTests",
            dependencies: ["LeapBlocks", "LeapGGUF", "LeapModels", "LeapOps", "LeapQuantize", "_LeapTestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "LeapConvertTests",
            dependencies: [
                "LeapBlocks", "LeapConvert", "LeapDigest", "LeapGGUF", "LeapJSON", "LeapModels", "LeapTokenizer",
                "_LeapTestSupport", .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "LeapKernelsTests",
            dependencies: ["LeapBlocks", "LeapKernels", "LeapKernelsPortable", "_LeapTestSupport"],
            // The references for kernels are numeric code as well.
            swiftSettings: optimized),
        .testTarget(
            name: "LeapGGUFTests",
            dependencies: ["LeapBlocks", "LeapGGUF", "_LeapProcessTestSupport", "_LeapTestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "LeapOpsTests",
            dependencies: [
                "LeapBlocks", "LeapGGUF", "LeapKernels", "LeapOps", "_LeapProcessTestSupport", "_LeapTestSupport",
            ],
            swiftSettings: optimized),
        .testTarget(
            name: "LeapModelsTests",
            dependencies: [
                "LeapAudio", "LeapBlocks", "LeapGGUF", "LeapKernels", "LeapModels", "LeapOps", "_LeapTestSupport",
            ],
            swiftSettings: common),
        .testTarget(
            name: "LeapTokenizerTests", dependencies: ["LeapGGUF", "LeapTokenizer", "_LeapTestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "LeapJSONTests",
            dependencies: ["LeapJSON", .product(name: "OrderedCollections", package: "swift-collections")],
            swiftSettings: common),
        .testTarget(
            name: "LeapTemplateTests", dependencies: ["LeapJSON", "LeapTemplate", "_LeapTestSupport"],
            exclude: ["Data"], swiftSettings: common),
        .testTarget(
            name: "LeapImagesTests", dependencies: ["LeapDigest", "LeapImages", "_LeapTestSupport"],
            exclude: ["Data"], swiftSettings: common),
        .testTarget(
            name: "LeapAudioTests", dependencies: ["LeapAudio", "_LeapTestSupport"], swiftSettings: common),
        .testTarget(
            name: "LeapChatTests",
            dependencies: [
                "LeapChat", "LeapJSON", "_LeapTestSupport",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            exclude: ["Data"], swiftSettings: common),
        .testTarget(
            name: "LeapConstraintsTests",
            dependencies: [
                "LeapConstraints", "LeapGGUF", "LeapGeneration", "LeapJSON", "LeapModels", "LeapOps", "LeapTokenizer",
                "_LeapTestSupport",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "LeapGenerationTests",
            dependencies: [
                "LeapBlocks", "LeapChat", "LeapConstraints", "LeapDigest", "LeapGGUF", "LeapGeneration", "LeapJSON",
                "LeapKernels", "LeapModels", "LeapOps", "LeapTokenizer", "_LeapTestSupport",
            ],
            swiftSettings: common),
        .testTarget(
            name: "LeapEngineTests",
            dependencies: [
                "LeapAudio", "LeapChat", "LeapConstraints", "LeapEngine", "LeapGGUF", "LeapGeneration", "LeapImages",
                "LeapJSON", "LeapModels", "LeapOps", "LeapTokenizer", "_LeapTestSupport",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "LeapServerTests",
            dependencies: [
                "LeapChat", "LeapEngine", "LeapGGUF", "LeapGeneration", "LeapJSON", "LeapOps", "LeapServer",
                "LeapTokenizer", "_LeapHTTPTestSupport", "_LeapProcessTestSupport", "_LeapTestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "LeapSDKMacrosTests",
            dependencies: [
                "LeapConstraints", "LeapJSON", "LeapSDKMacros", "_LeapTestSupport",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "LeapSDKMacrosExpansionTests",
            dependencies: ["LeapSDKMacrosExpansion"]
                + swiftSyntax(
                    "SwiftDiagnostics", "SwiftIfConfig", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder",
                    "SwiftSyntaxMacroExpansion", "SwiftSyntaxMacros"),
            swiftSettings: common),
        .testTarget(
            name: "LeapSDKTests",
            dependencies: [
                "LeapChat", "LeapEngine", "LeapGGUF", "LeapGeneration", "LeapJSON", "LeapSDK", "LeapTokenizer",
                "_LeapProcessTestSupport", "_LeapTestSupport",
            ],
            swiftSettings: common),
        .testTarget(
            name: "LeapCompatibilityTests",
            dependencies: [
                "LeapHub", "LeapHybrid", "LeapImages", "LeapModelDownloader", "LeapOpenAIClient", "LeapSDK",
                "LeapSDKConstrainedGeneration", "LeapSDKMacros", "LeapSDKTypes", "_LeapHTTPTestSupport",
                "_LeapTestSupport",
            ],
            exclude: ["Leap02", "Leap06", "Leap0107", "Leap010"],  // compiled by scripts/check-versions
            // Programs as other people write them: without our upcoming features, and with whatever warnings they have.
            swiftSettings: [.unsafeFlags(["-suppress-warnings"])]),
        // The sources of Examples/, which are separate packages, by symbolic links; without a program's entry point.
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "LeapHub", "LeapModelDownloader", "LeapSDK", "_LeapHTTPTestSupport", "_LeapTestSupport",
            ],
            exclude: ["TerminalChat/TerminalChat.swift"], swiftSettings: warnings),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "LeapBlocks", "LeapBuildInfo", "LeapEngine", "LeapGGUF", "LeapGeneration", "LeapHub", "LeapJSON",
                "LeapKernels", "LeapModels", "LeapOps", "LeapQuantize", "LeapSDK", "LeapServer", "LeapTokenizer",
                "LeapToolSupport", "_LeapHTTPTestSupport", "_LeapProcessTestSupport", "_LeapTestSupport", "leap",
                "leap-bench",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: common),
    ] + levelTargets,
    swiftLanguageModes: [.v6]
)
