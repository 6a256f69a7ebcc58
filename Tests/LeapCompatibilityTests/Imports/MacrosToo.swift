import LeapSDK
import LeapSDKMacros

// LeapSDKMacros exports the same types, alone and alongside LeapSDK.

func sameType<Value: LeapSDK.GeneratableType>(_ type: Value.Type) -> any LeapSDKMacros.GeneratableType.Type { type }
