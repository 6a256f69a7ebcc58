// What messages, tools and arguments are made of.
@_exported public import LeapJSON
