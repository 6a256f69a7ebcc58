// The parts of SwiftUI that the program uses, for systems without SwiftUI.
#if !canImport(SwiftUI)
protocol ObservableObject: AnyObject {}

@propertyWrapper
struct Published<Value> {
    var wrappedValue: Value
}
#endif
