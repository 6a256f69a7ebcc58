import LeapBuildInfo
import Testing

@Suite("Build information")
struct BuildInfoTests {
    @Test(
        "Commit and build number are parsed from git's output",
        arguments: [
            ("e056cc0 442", "e056cc0", 442), ("e056cc0-dirty 442\n", "e056cc0-dirty", 442), ("e056cc0", "e056cc0", 0),
            ("", "unknown", 0), ("e056cc0 many", "e056cc0", 0),
        ])
    func reading(text: String, commit: String, number: Int) {
        let info = BuildInfo(text: text)
        #expect(info.commit == commit)
        #expect(info.number == number)
    }

    @Test("The version includes the commit if it is known")
    func version() {
        #expect(BuildInfo(text: "e056cc0 442").version("1.2.3") == "1.2.3 (e056cc0)")
        #expect(BuildInfo(text: "").version("1.2.3") == "1.2.3")
    }
}
