#if canImport(SwiftUI)
import ChatCore
import SwiftUI

/// The input field. Its button sends, or stops the answer that is being generated.
struct ComposerView: View {
    @Bindable var model: ChatModel

    var body: some View {
        HStack {
            TextField("Message", text: $model.draft, axis: .vertical)
                .textFieldStyle(.roundedBorder)
                .lineLimit(1...6)
                .onSubmit { model.send() }
            if model.isAnswering {
                Button("Stop", systemImage: "stop.circle.fill") { model.stop() }
            } else {
                Button("Send", systemImage: "arrow.up.circle.fill") { model.send() }
                    .disabled(!model.canSend)
            }
        }
        .labelStyle(.iconOnly)
        .padding()
    }
}
#endif
