#if canImport(SwiftUI)
import ChatCore
import SwiftUI

/// The app's window.
public struct ChatScene: Scene {
    @State private var model = ChatModel()

    /// A window with the last stored chat.
    public init() {}

    /// The window.
    public var body: some Scene {
        WindowGroup { ChatView(model: model) }
    }
}
#endif
