@_exported public import LeapSDK
