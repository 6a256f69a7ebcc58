#if canImport(SwiftUI)
import ChatCore
import SwiftUI

/// The settings, which are applied when the sheet is closed by its button.
struct SettingsView: View {
    let model: ChatModel
    @State var draft: ChatSettings
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        NavigationStack {
            Form {
                Section("Model") {
                    TextField("Name", text: $draft.model)
                    TextField("Quantisation", text: $draft.quantization)
                }
                Section("Answers") {
                    TextField("Instructions", text: $draft.instructions, axis: .vertical)
                    Toggle("Thinks before it answers", isOn: $draft.thinks)
                    Toggle("Temperature of its own", isOn: hasTemperature)
                    if draft.temperature != nil { Slider(value: temperature, in: 0...1.5) }
                }
            }
            .formStyle(.grouped)
            .navigationTitle("Settings")
            .toolbar {
                ToolbarItem(placement: .cancellationAction) { Button("Cancel") { dismiss() } }
                ToolbarItem(placement: .confirmationAction) { Button("Done") { apply() } }
            }
        }
    }

    private var hasTemperature: Binding<Bool> {
        Binding {
            draft.temperature != nil
        } set: {
            draft.temperature = $0 ? 0.3 : nil
        }
    }

    private var temperature: Binding<Float> {
        Binding {
            draft.temperature ?? 0
        } set: {
            draft.temperature = $0
        }
    }

    private func apply() {
        let settings = draft
        Task { await model.apply(settings) }
        dismiss()
    }
}
#endif
