# Building in release mode, with an estimate of the time and a progress line; sourced after common.bash.

# What a first build of both tools takes: minutes of CPU time, measured with Swift 6.3 on two cores of a server
# (AMD EPYC, Zen 5), and minutes that it takes with any number of CPUs, because some modules are compiled as a whole.
readonly first_build_cpu_minutes=13
readonly first_build_least_minutes=6

cpu_count() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN; }

# build_minutes CPUS: how long a first build takes.
build_minutes() {
    local minutes=$(((first_build_cpu_minutes + $1 - 1) / $1))
    printf '%s' $((minutes > first_build_least_minutes ? minutes : first_build_least_minutes))
}

# say_build_time FOLDER: how long building will take, with what SwiftPM has in FOLDER already.
say_build_time() {
    local cpus plural=s
    cpus=$(cpu_count)
    [[ $cpus -ne 1 ]] || plural=
    if [[ -x $1/release/leap-bench ]]; then
        say "Building takes seconds, or a few minutes if much has changed"
    else
        say "Building takes about $(build_minutes "$cpus") minutes on this machine's $cpus CPU$plural; later builds take seconds"
    fi
}

# clock SECONDS: minutes and seconds, such as 2:05.
clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# show_progress NAME: reads what `swift build` says. On a terminal its last step stands in one line, which is written over;
# elsewhere there is a line every half minute. NAME says what is built.
show_progress() {
    local line shown step='' start=$SECONDS last=0 width=79 status timeout=(-t 1)
    [[ ! -t 2 ]] || width=$(tput cols 2>/dev/null || printf 80)
    # Older shells, as on macOS, cannot tell the end of their patience from the end of the file.
    [[ ${BASH_VERSINFO[0]} -ge 4 ]] || timeout=()
    while true; do
        status=0
        IFS= read -r ${timeout[@]+"${timeout[@]}"} line || status=$?
        # Above 128, nothing came for a second; else that was the end.
        [[ $status -eq 0 || $status -gt 128 ]] || break
        [[ $status -ne 0 || ! $line =~ ^\[[0-9]+/[0-9]+\]\ .* ]] || step=$line
        [[ -n $step ]] || continue
        shown="    $1: $(clock $((SECONDS - start)))  $step"
        if [[ -t 2 ]]; then
            printf '\r\033[K%s' "${shown:0:width-1}" >&2
        elif ((SECONDS - last >= 30)); then
            last=$SECONDS
            printf '%s\n' "$shown" >&2
        fi
    done
    [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# build_tools FOLDER [OPTION ...]: builds both tools in release mode in FOLDER, and prints the folder of the executables.
# They download, but use no macros, whose library takes minutes to compile. What only debuggers read is left out: it takes a
# seventh of the time.
#
# SwiftPM before 6.4 hands the two traits to the compiler in the order of a set, and compiles everything again where it is
# another one than the last time. Hashes without a random seed keep it (docs/decisions/0073).
build_tools() {
    local folder=$1 product log
    local -x SWIFT_DETERMINISTIC_HASHING=1
    shift
    local options=(--configuration release --traits Downloads,Server -debug-info-format none --scratch-path "$folder" "$@")
    log=$(mktemp)
    for product in leap leap-bench; do
        if ! swift build "${options[@]}" --product "$product" 2>&1 | tee "$log" | show_progress "$product"; then
            grep -vE '^\[[0-9]+/[0-9]+\] ' "$log" | tail -n 40 >&2
            rm -f "$log"
            fail "$product could not be built; see the compiler's output above."
        fi
    done
    rm -f "$log"
    swift build "${options[@]}" --show-bin-path
}
