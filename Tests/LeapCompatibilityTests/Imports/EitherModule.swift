import LeapModelDownloader
import LeapSDK

// Both modules export the same types.

func sameMessage(_ message: LeapSDK.ChatMessage) -> LeapModelDownloader.ChatMessage { message }
func sameRunner(_ runner: any LeapModelDownloader.ModelRunner) -> any LeapSDK.ModelRunner { runner }
func sameOptions(_ options: LeapSDK.GenerationOptions) -> LeapModelDownloader.GenerationOptions { options }
func sameError(_ error: LeapModelDownloader.LeapError) -> LeapSDK.LeapError { error }
func sameConversation(_ runner: any ModelRunner) -> any LeapSDK.Conversation {
    Conversation(modelRunner: runner, history: [])
}
