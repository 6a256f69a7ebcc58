import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// `scripts/install`, with wrappers around the tools that were built with the tests.
@Suite struct InstallScriptTests {
    private static let scripts = Fixture.folder.deletingLastPathComponent().appending(path: "scripts").path

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a line in a shell whose variables point to places in the test's folder.
    private func run(_ line: String) async throws -> Tool.Outcome {
        try await Tool.leap.run(
            bash: """
                set -e
                cd '\(folder.path(""))'; mkdir -p built
                for tool in leap leap-bench; do
                    printf '#!/bin/sh\\nexec "%s/%s" "$@"\\n' "$(dirname "$LEAP")" $tool >built/$tool; chmod +x built/$tool
                done
                export DESTDIR=$PWD/root PREFIX=/usr
                install() { '\(Self.scripts)/install' "$@"; }
                \(line)
                """)
    }

    static let files = ["leap", "leap-bench"].flatMap { tool in
        [
            "bin/\(tool)", "share/bash-completion/completions/\(tool)", "share/fish/vendor_completions.d/\(tool).fish",
            "share/man/man1/\(tool).1", "share/zsh/site-functions/_\(tool)",
        ]
    }.sorted()

    @Test("Tools, completions and manual pages are installed, and nothing else")
    func installs() async throws {
        let outcome = try await run(
            "install --from built; cd root/usr; find . -type f | sed 's,^./,,' | LC_ALL=C sort; bin/leap --version")
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        let lines = outcome.text.split(separator: "\n").map(String.init)
        #expect(Array(lines.prefix(Self.files.count)) == Self.files)
        #expect(lines.dropFirst(Self.files.count).first?.hasPrefix("leap ") == true)
        #expect(outcome.errorText.contains("/usr/bin/leap: "))
    }

    @Test("Completion scripts are valid, and manual pages name their tool")
    func contents() async throws {
        let outcome = try await run(
            """
            install --from built; cd root/usr/share
            for tool in leap leap-bench; do bash -n bash-completion/completions/$tool; done
            if LC_ALL=C grep -n '[^ -~]' man/man1/*; then exit 1; fi
            head -n 1 zsh/site-functions/_leap-bench man/man1/leap.1
            grep -c 'complete -c' fish/vendor_completions.d/leap.fish >/dev/null && stat -c %a man/man1/leap.1 ../bin/leap
            """)
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        #expect(outcome.text.contains("#compdef leap-bench"))
        #expect(outcome.text.contains(".TH LEAP 1"))
        #expect(outcome.text.hasSuffix("644\n755\n"))
    }

    @Test("Flags of leap-bench are completed with and without its default subcommand")
    func completesDefault() async throws {
        let outcome = try await run(
            """
            install --from built; touch mine.gguf
            source root/usr/share/bash-completion/completions/leap-bench
            try() {
                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
                _leap-bench leap-bench "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" || true
                echo "${COMPREPLY[*]}"
            }
            try leap-bench -m mi; try leap-bench run -m mi; try leap-bench -m x -o js; try leap-bench --n-d
            try leap-bench sy; try leap-bench synth lfm2-3
            grep -c 'run "${words\\[@\\]:1}"' root/usr/share/zsh/site-functions/_leap-bench
            grep -c ' run $unparsed_tokens' root/usr/share/fish/vendor_completions.d/leap-bench.fish
            """)
        #expect(
            outcome.text == "mine.gguf\nmine.gguf\njson jsonl\n--n-depth\nsynth\nlfm2-350m\n1\n1\n",
            "\(outcome.text)\(outcome.errorText)")
    }

    @Test("Replacing a tool leaves the old file intact for processes that have it open")
    func replaces() async throws {
        let outcome = try await run(
            """
            install --from built; exec 3<root/usr/bin/leap
            printf '#!/bin/sh\\nexec "%s" "$@" # newer\\n' "$LEAP" >built/leap
            install --from built; tail -n 1 <&3; tail -n 1 root/usr/bin/leap; ls root/usr/bin
            """)
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        let lines = outcome.text.split(separator: "\n")
        try #require(lines.count == 4)
        #expect(!lines[0].hasSuffix("# newer") && lines[1].hasSuffix("# newer"))
        #expect(lines[2...] == ["leap", "leap-bench"])
    }

    @Test("--uninstall removes what was installed and keeps other files")
    func uninstalls() async throws {
        let outcome = try await run(
            "install --from built; touch root/usr/bin/other; install --uninstall; install --uninstall; find root -type f"
        )
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        #expect(outcome.text == "root/usr/bin/other\n")
        #expect(outcome.errorText.contains("Removed 10 files from ") && outcome.errorText.contains("Removed 0 files"))
    }

    static let refusals = [
        ("PREFIX=usr install --from built", "PREFIX must be an absolute path, not 'usr'."),
        ("install --from .", ". has no executable 'leap'."), ("install --wings", "unknown option '--wings'."),
        ("DESTDIR= PREFIX=/dev/null install --from built", "/dev/null/bin cannot be written."),
    ]

    @Test("Failures are reported", arguments: refusals)
    func refuses(line: String, message: String) async throws {
        let outcome = try await run(line)
        #expect(outcome.status == ExitStatus.failure)
        #expect(outcome.errorText.contains("error: \(message)"), "\(outcome.errorText)")
    }

    @Test("A prefix outside PATH is reported with the line that adds it")
    func path() async throws {
        let outcome = try await run("DESTDIR= PREFIX=$PWD/own install --from built")
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("/own/bin is not in your PATH."))
        #expect(outcome.errorText.contains("/own/bin:$PATH\""))
    }
}
