#if canImport(SwiftUI)
import ChatViews
import SwiftUI

#if os(macOS)
import AppKit
#endif

/// The app.
@main
struct ChatApp: App {
    #if os(macOS)
    @NSApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    #endif

    var body: some Scene { ChatScene() }
}

#if os(macOS)
/// Makes an app of an executable without a bundle, as by `swift run`, which would otherwise have no Dock icon, no menu and no
/// key window.
private final class AppDelegate: NSObject, NSApplicationDelegate {
    func applicationDidFinishLaunching(_ notification: Notification) {
        NSApplication.shared.setActivationPolicy(.regular)
        NSApplication.shared.activate()
    }
}
#endif
#else
/// Without SwiftUI there is no app.
@main
struct ChatApp {
    static func main() { print("This app needs SwiftUI. Examples/TerminalChat runs here.") }
}
#endif
