# Shared by the scripts of this folder; sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Progress goes to stderr, so that a script's stdout is its result. The time of day shows which steps take long.
say() { printf '==> %s  %s\n' "$(date +%T)" "$*" >&2; }

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

require_swift() {
    have swift || fail "Swift is not installed. Install Swift 6.2 or newer from https://swift.org/install, then try again."
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
    if [[ -n $version && $(printf '6.2\n%s\n' "$version" | sort -V | head -n 1) != 6.2 ]]; then
        fail "Swift $version is too old: 6.2 or newer is needed. See https://swift.org/install."
    fi
}

# apt_install PACKAGE...: installs Debian packages where that is possible without asking for a password.
apt_install() {
    have apt-get || return 1
    local as_root=()
    if [[ $(id -u) -ne 0 ]]; then
        have sudo && sudo -n true 2>/dev/null || return 1
        as_root=(sudo -n)
    fi
    say "Installing $* with apt-get"
    local options=(-o DPkg::Lock::Timeout=120 -qq)
    {
        "${as_root[@]}" apt-get "${options[@]}" update &&
            "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
                apt-get "${options[@]}" install -y --no-install-recommends "$@"
    } >&2
}

# OpenBLAS multiplies large float matrices on Linux, where it is opened at run time if it is there. Nothing needs it: this
# is for those who want to test or to measure that way.
offer_openblas() {
    [[ $(uname -s) == Linux ]] || return 0
    ! grep -q libopenblas <<<"$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null)" || return 0
    apt_install libopenblas0 || say "OpenBLAS is not available; the package's own kernels are used"
}

# Libraries that decode pictures on Linux, opened at run time likewise. Tests of pictures that need one are left out without.
offer_image_libraries() {
    [[ $(uname -s) == Linux ]] || return 0
    local known
    known=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null)
    ! grep -q libturbojpeg <<<"$known" || ! grep -q libwebp.so <<<"$known" || return 0
    # Ubuntu's name of the first has no number.
    apt_install libturbojpeg0 libwebp7 || apt_install libturbojpeg libwebp7 ||
        say "Image libraries are not available; tests that need them are skipped"
}

# What compiles and runs programs for arm64 on another machine.
install_arm64_tools() {
    have aarch64-linux-gnu-gcc || apt_install gcc-aarch64-linux-gnu libc6-dev-arm64-cross || return 1
    have qemu-aarch64 || apt_install qemu-user
}

# AsyncHTTPClient, by which models are downloaded on Linux, is compiled with zlib's headers.
require_zlib() {
    [[ $(uname -s) == Linux ]] || return 0
    [[ ! -f /usr/include/zlib.h ]] || return 0
    apt_install zlib1g-dev && return 0
    fail "zlib's headers are missing and cannot be installed automatically. Install them, then try again:
  Debian, Ubuntu:  sudo apt-get install zlib1g-dev
  Fedora:          sudo dnf install zlib-devel
  Arch:            sudo pacman -S zlib"
}
