@_exported public import LeapSDKTypes
