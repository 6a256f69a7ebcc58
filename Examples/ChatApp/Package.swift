// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "ChatApp",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "ChatViews", targets: ["ChatViews"])],
    dependencies: [.package(name: "leap-swift", path: "../..")],
    targets: [
        // Everything except the views.
        .target(
            name: "ChatCore", dependencies: [.product(name: "LeapModelDownloader", package: "leap-swift")]),
        .target(name: "ChatViews", dependencies: ["ChatCore"]),
        // The app for macOS. In an iOS app, ChatScene replaces the template's window.
        .executableTarget(name: "ChatApp", dependencies: ["ChatViews"]),
    ]
)
