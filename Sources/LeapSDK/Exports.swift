@_exported public import LeapSDKMacros
@_exported public import LeapSDKTypes
