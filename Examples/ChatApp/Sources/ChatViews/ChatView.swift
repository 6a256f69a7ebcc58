#if canImport(SwiftUI)
import ChatCore
import SwiftUI

/// The conversation, and what is written below it.
struct ChatView: View {
    @Bindable var model: ChatModel
    @State private var showsSettings = false

    var body: some View {
        NavigationStack {
            VStack(spacing: 0) {
                ConversationView(entries: model.entries)
                if let problem = model.problem { ProblemView(text: problem) }
                if model.phase == .ready { ComposerView(model: model) } else { LoadingView(model: model) }
            }
            .navigationTitle(model.settings.model)
            .toolbar {
                if !model.reminders.isEmpty { RemindersMenu(reminders: model.reminders) }
                Button("New chat", systemImage: "square.and.pencil") { Task { await model.forget() } }
                Button("Settings", systemImage: "gearshape") { showsSettings = true }
            }
            .sheet(isPresented: $showsSettings) { SettingsView(model: model, draft: model.settings) }
        }
    }
}

/// What went wrong.
private struct ProblemView: View {
    let text: String

    var body: some View {
        Label(text, systemImage: "exclamationmark.triangle")
            .font(.callout)
            .foregroundStyle(.red)
            .padding(.horizontal)
    }
}

/// What the model was asked to remember.
private struct RemindersMenu: View {
    let reminders: [Reminder]

    var body: some View {
        Menu("Reminders", systemImage: "checklist") {
            ForEach(reminders, id: \.self) { Text("\($0.date): \($0.title)") }
        }
    }
}
#endif
