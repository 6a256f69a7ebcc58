#if canImport(SwiftUI)
import ChatCore
import SwiftUI

/// The conversation, with the input field below it.
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

/// Shows a problem.
private struct ProblemView: View {
    let text: String

    var body: some View {
        Label(text, systemImage: "exclamationmark.triangle")
            .font(.callout)
            .foregroundStyle(.red)
            .padding(.horizontal)
    }
}

/// Lists the reminders.
private struct RemindersMenu: View {
    let reminders: [Reminder]

    var body: some View {
        Menu("Reminders", systemImage: "checklist") {
            ForEach(reminders, id: \.self) { Text("\($0.date): \($0.title)") }
        }
    }
}
#endif
