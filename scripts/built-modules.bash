# The products of the last `swift build`, for compiling further programs against them in seconds; sourced after
# common.bash, in the package's folder.

binaries=$(swift build --show-bin-path)

# The object files to link a program with LeapSDK: those of the tool that measures it, without the tool itself and what
# only tools share.
list=$binaries/leap-bench.product/Objects.LinkFileList
[[ -f $list ]] || fail "The tool is not built yet: run 'swift build' first."
mapfile -t objects < <(tr -d "'\"" <"$list" | grep -vE '/(leap_bench|LeapToolSupport|ArgumentParser[A-Za-z]*)\.build/')

# Modules of C that those of Swift were compiled with.
modules=(-I "$binaries/Modules")
for map in "$root"/.build/checkouts/*/Sources/*/include/module.modulemap "$binaries"/*.build/module.modulemap; do
    # Those that the build makes for its own tools are the same once more.
    [[ ! -f $map || $map == *-tool.build/* ]] || modules+=(-Xcc "-fmodule-map-file=$map")
done

# What expands @Generatable and @Guide.
macros=(-load-plugin-executable "$binaries/LeapSDKMacrosPlugin-tool#LeapSDKMacrosPlugin")

# BoringSSL's C++ has a library of its own, also where it is compiled without exceptions; AsyncHTTPClient knows zlib.
libraries=(-lstdc++ -lz)
[[ $(uname -s) == Linux ]] || libraries=(-lc++)
