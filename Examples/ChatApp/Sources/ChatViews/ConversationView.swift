#if canImport(SwiftUI)
import ChatCore
import SwiftUI

/// The messages. The last line stays visible as it grows.
struct ConversationView: View {
    let entries: [ChatEntry]

    var body: some View {
        ScrollView {
            LazyVStack(alignment: .leading, spacing: 12) {
                ForEach(entries) { EntryView(entry: $0) }
            }
            .padding()
        }
        .defaultScrollAnchor(.bottom)
    }
}

/// One message.
private struct EntryView: View {
    let entry: ChatEntry

    private var isUser: Bool { entry.speaker == .user }

    private var bubble: AnyShapeStyle {
        isUser ? AnyShapeStyle(Color.accentColor.opacity(0.2)) : AnyShapeStyle(.quaternary)
    }

    var body: some View {
        VStack(alignment: .leading, spacing: 4) {
            if !entry.thoughts.isEmpty {
                DisclosureGroup("Thoughts") { Text(entry.thoughts).foregroundStyle(.secondary) }
            }
            if !entry.text.isEmpty { Text(entry.text).textSelection(.enabled) }
            if entry.isStopped {
                Text(entry.isForgotten ? "Not finished, and not remembered" : "Not finished")
                    .font(.caption).foregroundStyle(.secondary)
            }
        }
        .padding(10)
        .background(bubble, in: .rect(cornerRadius: 12))
        .frame(maxWidth: .infinity, alignment: isUser ? .trailing : .leading)
    }
}
#endif
