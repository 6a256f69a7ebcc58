import LeapSDKTypes

// Protocols and values without the engine, as in the products of version 0.3.

func text(of message: ChatMessage, from runner: ModelRunner) -> String { message.text + runner.modelId }
