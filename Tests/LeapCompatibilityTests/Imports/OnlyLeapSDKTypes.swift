import LeapSDKTypes

// Protocols and values without the engine, as the products of version 0.3 had them.

func text(of message: ChatMessage, from runner: ModelRunner) -> String { message.text + runner.modelId }
