// What messages, tools and arguments are made of, and what becomes of templates that are none.
@_exported public import LeapJSON
@_exported public import LeapTemplate
