#if canImport(SwiftUI)
import ChatViews
import SwiftUI

/// The app.
@main
struct ChatApp: App {
    var body: some Scene { ChatScene() }
}
#else
/// Without SwiftUI there is no app.
@main
struct ChatApp {
    static func main() { print("This app needs SwiftUI. Examples/TerminalChat runs here.") }
}
#endif
