# The manifest's settings for the CPU levels' targets, for compiling them for other machines; sourced after common.bash.

have python3 || fail "python3 is missing. Install Python 3, then try again."
manifest=$(swift package --package-path "$root" dump-package)

# level_options TARGET: the compiler's options that the manifest has for a target everywhere, one a line.
level_options() {
    python3 -c '
import json, sys
spelling = {
    "define": "-D{}", "enableUpcomingFeature": "-enable-upcoming-feature {}",
    "enableExperimentalFeature": "-enable-experimental-feature {}",
}
target = next(t for t in json.load(sys.stdin)["targets"] if t["name"] == sys.argv[1])
for setting in target["settings"]:
    (kind, value), = setting["kind"].items()
    if kind == "unsafeFlags": print(*value["_0"], sep="\n")
    elif kind in spelling: print(*spelling[kind].format(value["_0"]).split(), sep="\n")
' "$1" <<<"$manifest"
}

# level_sources TARGET: its files, those that it shares with others included.
level_sources() { find -L "$root/Sources/$1" -name '*.swift'; }

# compile_level TRIPLE TARGET OPTION ...: compiles a target as the package does, and with Embedded Swift, whose standard
# library the toolchain has for machines without an operating system. Modules are looked for in the working directory.
# Clang's headers do without a C library's, of which there is none.
compile_level() {
    local triple=$1 target=$2 options sources
    shift 2
    mapfile -t options < <(level_options "$target")
    mapfile -t sources < <(level_sources "$target")
    swiftc -swift-version 6 "${options[@]}" -num-threads 0 -target "$triple" -enable-experimental-feature Embedded \
        -Xcc -ffreestanding -warnings-as-errors -parse-as-library -I . -module-name "$target" "$@" "${sources[@]}"
}

# compile_arm64_program LEVEL NAME SOURCE ...: compiles a program that uses a level for arm64 Linux. What the level is over has
# been compiled into the working directory with compile_level.
#
# Embedded Swift compiles what a program uses of a module into the program: with the level's instructions, so that they are
# those of the whole of it.
compile_arm64_program() {
    local level=$1 name=$2 options toolchain
    shift 2
    mapfile -t options < <(level_options "$level")
    swiftc -swift-version 6 "${options[@]}" -num-threads 0 -target aarch64-none-none-elf \
        -enable-experimental-feature Embedded -enable-experimental-feature Extern -D "$level" -module-name Program -parse-as-library \
        -I . -emit-object -o "$name.o" "$@"
    toolchain=$(dirname "$(readlink -f "$(command -v swiftc)")")
    aarch64-linux-gnu-gcc -fuse-ld=lld -B"$toolchain" -static -o "$name" "$name.o" -lm
}
