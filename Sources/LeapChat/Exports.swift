// The types of messages, tools and arguments, and the errors of invalid templates.
@_exported public import LeapJSON
@_exported public import LeapTemplate
