@main
struct TerminalChat {
    static func main() {
        print("Hello, world!")
    }
}
