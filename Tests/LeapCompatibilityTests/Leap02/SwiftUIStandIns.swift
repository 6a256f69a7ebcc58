// What the program uses of SwiftUI, for systems without it.
#if !canImport(SwiftUI)
protocol ObservableObject: AnyObject {}

@propertyWrapper
struct Published<Value> {
    var wrappedValue: Value
}
#endif
