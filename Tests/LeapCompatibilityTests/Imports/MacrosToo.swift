import LeapSDK
import LeapSDKMacros

// The module of macros names the same types, alone and beside LeapSDK.

func sameType<Value: LeapSDK.GeneratableType>(_ type: Value.Type) -> any LeapSDKMacros.GeneratableType.Type { type }
