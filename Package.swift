// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// MARK: - Traits

/// What an app can do without so that it builds in a fraction of the time, see docs/decisions/0031: a trait each, whose
/// name is a condition in sources.
let parts = ["Downloads", "Macros", "Server"]

/// The default trait is one for all parts: SwiftPM before 6.4 hands several to the compiler in random order, and compiles
/// everything again where that changed, see docs/decisions/0073.
let everything = "Everything"

/// The traits under which a part is there.
func with(_ part: String) -> Set<String> { [part, everything] }

// MARK: - Settings

/// The check script turns warnings into errors; a newer compiler's warnings must not stop anybody else's build.
let warnings: [SwiftSetting] =
    Context.environment["LEAP_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// Every target: imports are internal unless said otherwise, so that the direction of the architecture is visible in
/// the source and checked by the compiler (SE-0409, SE-0444).
let common: [SwiftSetting] =
    warnings + parts.map { .define($0, .when(traits: [everything])) } + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

/// A kernel target is optimised in debug builds too, and as a whole module, so that helpers shared between its files
/// are inlined. `-num-threads` keeps one object file per source, which a debug build expects. The compiler's own module of
/// builtins is there for one of them, see `Prefetch.swift`.
///
/// - Parameter level: The name by which the sources that levels share know what they are compiled for.
func kernels(_ level: String, _ flags: [String] = []) -> [SwiftSetting] {
    common + [
        .enableExperimentalFeature("BuiltinModule"), .define(level),
        .unsafeFlags(["-Ounchecked", "-disable-batch-mode", "-wmo", "-num-threads", "2"] + flags),
    ]
}

/// Numeric code that is not a kernel but would make a debug build unusable if it were not optimised.
let optimized: [SwiftSetting] = common + [.unsafeFlags(["-O", "-disable-batch-mode", "-wmo", "-num-threads", "2"])]

/// Hashes may name the instructions that CPUs have for them. Their flag, unlike a level's, has the compiler put nothing
/// into other code.
let hashing: [SwiftSetting] =
    optimized + [.unsafeFlags(clang(["-msha"], on: .x86_64), .when(platforms: [.linux, .android]))]

/// Under the traits `Leap0107` and `Leap010`, responses are a protocol, whose bare name must be a type in the signatures of the API.
let responses: [SwiftSetting] = [
    .unsafeFlags(["-disable-upcoming-feature", "ExistentialAny"], .when(traits: ["Leap0107", "Leap010"]))
]

// MARK: - CPU levels

/// An architecture that something is compiled for, which need not be that of the machine that builds: a program for macOS
/// is compiled for both, and one for a phone on whatever machine there is.
enum Architecture {
    case x86_64, arm64

    /// As Clang calls it, for Apple's systems and for others.
    var names: [String] { self == .arm64 ? ["arm64", "aarch64"] : ["x86_64"] }
}

/// Hands options to Clang, which chooses the instructions, where the target has this architecture; elsewhere they do
/// nothing, and Clang is told not to mind.
func clang(_ options: [String], on architecture: Architecture) -> [String] {
    #if compiler(<6.3) && os(Linux)
    // Clang asks for the architecture of Linux targets since Swift 6.3. Before, levels are those of the machine that builds.
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

// Every level is a target everywhere. Its sources have the architecture as their condition, so that for another one it is
// an empty module.
let levelTargets: [Target] = [
    .target(name: "LeapKernelsPortable", dependencies: ["LeapBlocks"], swiftSettings: kernels("PORTABLE")),
    .target(
        name: "LeapKernelsX86V3", dependencies: ["LeapBlocks"],
        // Aligned stacks: what does not fit 16 registers must not straddle cache lines.
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

// MARK: - What traits switch on

/// AsyncHTTPClient and what its types are made of, where LeapHTTP uses it.
let asyncHTTPClient: [Target.Dependency] = [
    ("AsyncHTTPClient", "async-http-client"), ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio"),
    ("NIOPosix", "swift-nio"), ("NIOSSL", "swift-nio-ssl"),
].map { .product(name: $0, package: $1, condition: .when(platforms: [.linux, .android], traits: with("Downloads"))) }

/// Hummingbird and what its connections are made of, where LeapServer uses them.
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
        // Private, as the underscore says: the modules below the public ones, for the package in Benchmarks/.
        .library(
            name: "_LeapEngine",
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
        .trait(name: "Downloads", description: "The network: downloads, and models in the cloud"),
        .trait(name: "Macros", description: "@Generatable and @Guide, which swift-syntax expands"),
        .trait(name: "Server", description: "leap serve, which needs Hummingbird; nothing else of the package does"),
        // What cannot be in one build with the rest of the API, see docs/decisions/0013.
        .trait(
            name: "Leap02",
            description: "The responses of versions 0.1 and 0.2: three cases, and streams that do not throw"),
        .trait(
            name: "Leap06", description: "The responses of versions 0.4 to 0.6: the end has a text and what it cost"),
        .trait(
            name: "Leap0107",
            description: "The responses of versions 0.10.0 to 0.10.7: a protocol, and errors of a class for each kind"),
        .trait(
            name: "Leap010",
            description: "The responses of versions 0.10.8 and later: the same, and errors as responses"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        // HTTP where there is no URLSession of Apple's, under the trait `Downloads`; and for the tests' own server.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        // The server, under the trait `Server`.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        // How tests start processes, and the files that those get; nothing else uses them.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        // Built only for what imports LeapSDK or LeapSDKMacros, under the trait `Macros`.
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: [
        // Kernels: block formats, and one target per CPU level.
        .target(name: "LeapBlocks", swiftSettings: optimized),
        .target(name: "LeapKernels", dependencies: ["LeapBlocks"] + levels, swiftSettings: common),

        // Hashes, of files and of what the cache keeps.
        .target(name: "LeapDigest", swiftSettings: hashing),

        // JSON, and what goes with it: under everybody.
        .target(
            name: "LeapJSON", dependencies: [.product(name: "OrderedCollections", package: "swift-collections")],
            swiftSettings: optimized),

        // How model files spend their bits.
        .target(
            name: "LeapQuantize", dependencies: ["LeapBlocks", "LeapGGUF", "LeapKernels"], swiftSettings: optimized),

        // Model files of other tools, as GGUF.
        .target(
            name: "LeapConvert",
            dependencies: [
                "LeapBlocks", "LeapDigest", "LeapGGUF", "LeapJSON", "LeapTokenizer",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: optimized),

        // Pixels; no models.
        .target(name: "LeapImages", swiftSettings: optimized),

        // Samples of sound; no models.
        .target(name: "LeapAudio", swiftSettings: optimized),

        // Engine: files, tokens, operations, models, chat, generation.
        .target(name: "LeapGGUF", dependencies: ["LeapBlocks"], swiftSettings: optimized),
        .target(
            name: "LeapOps", dependencies: ["LeapBlocks", "LeapKernels"],
            swiftSettings: optimized),
        .target(
            name: "LeapModels", dependencies: ["LeapAudio", "LeapBlocks", "LeapGGUF", "LeapOps"],
            swiftSettings: optimized),
        .target(
            name: "LeapTokenizer",
            dependencies: [
                "LeapGGUF",
                .product(name: "HeapModule", package: "swift-collections"),
            ],
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

        // A loaded model that answers conversations: what apps, servers and tools share.
        .target(
            name: "LeapEngine",
            dependencies: [
                "LeapAudio", "LeapBlocks", "LeapChat", "LeapConstraints", "LeapDigest", "LeapGGUF", "LeapGeneration",
                "LeapImages", "LeapJSON", "LeapModels", "LeapOps", "LeapTemplate", "LeapTokenizer",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common),

        // Network: requests, and models from elsewhere.
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

        // What apps import.
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
        // Apart from the plugin: tests that depend on a macro have SwiftPM build all tests, and all that they import,
        // a second time as tools.
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
                .product(name: "Logging", package: "swift-log"),
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

        // The server, beside LeapSDK: dialects over LeapEngine, and HTTP.
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

        // Tools, and what they have in common.
        .target(name: "LeapBuildInfo", swiftSettings: common, plugins: ["EmbedCommit"]),
        .target(
            name: "LeapToolSupport",
            dependencies: [
                "LeapBlocks", "LeapBuildInfo", "LeapConvert", "LeapEngine", "LeapGGUF", "LeapHTTP", "LeapHub",
                "LeapJSON",
                "LeapKernels", "LeapModels", "LeapOps", "LeapQuantize",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: common),
        .executableTarget(
            name: "leap",
            dependencies: [
                "LeapAudio", "LeapBlocks", "LeapChat", "LeapConstraints", "LeapConvert", "LeapDigest", "LeapEngine",
                "LeapGGUF", "LeapGeneration", "LeapHTTP", "LeapHub", "LeapJSON", "LeapKernels", "LeapModels", "LeapOps",
                "LeapQuantize",
                "LeapTokenizer",
                "LeapToolSupport",
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
                "LeapKernels", "LeapModels", "LeapOps", "LeapQuantize", "LeapSDK", "LeapTokenizer", "LeapToolSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/LeapBench", swiftSettings: optimized),

        // The default model, and the commit that was built, as parts of the tools.
        .executableTarget(name: "EmbedFile", swiftSettings: common),
        .plugin(name: "EmbedDefaultModel", capability: .buildTool, dependencies: ["EmbedFile"]),
        .plugin(name: "EmbedCommit", capability: .buildTool, dependencies: ["EmbedFile"]),
        .plugin(name: "EmbedPage", capability: .buildTool, dependencies: ["EmbedFile"]),

        // Tests.
        .target(
            name: "_LeapTestSupport", dependencies: ["LeapBlocks", "LeapGGUF"],
            swiftSettings: common),
        // Apart from the rest of the support, which is a part of the product _LeapEngine.
        .target(
            name: "_LeapProcessTestSupport",
            dependencies: [
                .product(name: "Subprocess", package: "swift-subprocess"),
                // Apple's platforms have it in the system.
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
                "LeapJSON", "LeapOpenAIClient", "_LeapHTTPTestSupport", "_LeapTestSupport",
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
        .testTarget(
            name: "LeapBlocksTests", dependencies: ["LeapBlocks", "_LeapTestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "LeapQuantizeTests",
            dependencies: [
                "LeapBlocks", "LeapGGUF", "LeapKernels", "LeapModels", "LeapOps", "LeapQuantize", "_LeapTestSupport",
            ],
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
            // What kernels are compared with is numeric code as well.
            swiftSettings: optimized),
        .testTarget(
            name: "LeapGGUFTests",
            dependencies: ["LeapBlocks", "LeapGGUF", "_LeapProcessTestSupport", "_LeapTestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "LeapOpsTests",
            dependencies: ["LeapBlocks", "LeapGGUF", "LeapKernels", "LeapOps", "_LeapTestSupport"],
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
                "LeapJSON", "LeapModels", "LeapOps", "LeapTemplate", "LeapTokenizer", "_LeapTestSupport",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "LeapServerTests",
            dependencies: [
                "LeapChat", "LeapEngine", "LeapGGUF", "LeapGeneration", "LeapHTTP", "LeapJSON", "LeapOps", "LeapServer",
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
                "LeapChat", "LeapConstraints", "LeapEngine", "LeapGGUF", "LeapGeneration", "LeapJSON", "LeapSDK",
                "LeapTokenizer", "_LeapProcessTestSupport", "_LeapTestSupport",
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
            // Programs as others write them: without our features, and with whatever warnings they have.
            swiftSettings: [.unsafeFlags(["-suppress-warnings"])]),
        // The sources of Examples/, which are packages of their own, by symbolic links; without the entry of a program.
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
                "LeapKernels", "LeapModels", "LeapOps", "LeapQuantize", "LeapSDK", "LeapTokenizer", "LeapToolSupport",
                "_LeapHTTPTestSupport", "_LeapProcessTestSupport", "_LeapTestSupport", "leap", "leap-bench",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: common),
    ] + levelTargets,
    swiftLanguageModes: [.v6]
)
