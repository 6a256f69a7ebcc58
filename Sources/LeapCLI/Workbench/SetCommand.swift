import ArgumentParser
import Foundation
import LeapGGUF
import LeapToolSupport

/// `leap set`: writes a file with the same tensors and changed metadata.
struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Writes a copy of a model with changed metadata.",
        discussion: """
            KEY=VALUE keeps the key's type. KEY:TYPE=VALUE sets it: u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, \
            bool, str; in brackets, such as KEY:[i32]=[1,2], an array. KEY:file=PATH takes the value from a text file.
            """)

    @Argument(help: "A GGUF file.", completion: .file())
    var input: String

    @Argument(help: ArgumentHelp("What to set.", valueName: "key=value"))
    var settings: [MetadataSetting] = []

    @Option(help: ArgumentHelp("A key to remove; may be repeated.", valueName: "key"))
    var remove: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write, which appears only when it is complete.", valueName: "file"),
        completion: .file()
    )
    var output: String

    func validate() throws {
        if settings.isEmpty && remove.isEmpty {
            throw ValidationError("There is nothing to change: give KEY=VALUE or --remove KEY.")
        }
        var keys: Set<String> = []
        for key in settings.map(\.key) + remove where !keys.insert(key).inserted {
            throw ValidationError("'\(key)' is changed twice: give one KEY=VALUE or one --remove KEY.")
        }
    }

    func run() throws {
        let file = try GGUFFile(path: input)
        let inputs = file.paths + settings.flatMap(\.inputs)
        try OutputPlace.check(output, bytes: file.fileSize, inputs: inputs)
        for key in remove where !file.metadata.contains(key) {
            throw CommandError("\(input): no key '\(key)' to remove")
        }
        let values = try settings.map { ($0.key, try $0.value(in: file)) }
        try RewrittenFile.write(file, to: output, "set") { writer in
            for key in remove { writer.remove(key) }
            for (key, value) in values { value.set(key, in: &writer) }
        }
        Console.error("wrote \(output)")
    }
}
