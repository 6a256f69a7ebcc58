// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "TerminalChat",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "leap-swift", path: "../leap-swift")],
    targets: [
        .executableTarget(name: "TerminalChat", dependencies: [.product(name: "LeapSDK", package: "leap-swift")])
    ]
)
