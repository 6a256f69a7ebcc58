#if canImport(SwiftUI)
import ChatCore
import SwiftUI

/// The progress of downloading the language model.
struct LoadingView: View {
    let model: ChatModel

    var body: some View {
        VStack(spacing: 12) {
            switch model.phase {
            case .absent:
                Button("Get \(model.settings.model)") { model.load() }
            case .downloading(let fraction, let bytesPerSecond):
                ProgressView(value: fraction) { Text(speed(bytesPerSecond)) }
                Button("Stop") { model.stopLoading() }
            case .failed(let reason):
                Text(reason).foregroundStyle(.red)
                Button("Try again") { model.load() }
            case .ready:
                EmptyView()
            }
        }
        .padding()
    }

    private func speed(_ bytesPerSecond: Int64) -> String {
        bytesPerSecond > 0 ? "\(bytesPerSecond.formatted(.byteCount(style: .file))) a second" : "Loading"
    }
}
#endif
