#!/bin/sh
# Test the Raspberry Pi's camera with the real picamera2, over libcamera's virtual camera.
#
# They need Debian trixie, so they are given one: a folder with a small system, made once in
# $PI_ROOM (about two minutes, 1.2 GB, removed with the folder). Its mounts are in a namespace of
# this script's own and end with it, however it ends. Only a test that fails is a failure; where
# the system cannot be made, one line says SKIPPED.
set -eu

project=$(cd "$(dirname "$0")/../.." && pwd)
room=${PI_ROOM:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/draughts-referee/pi}
mirror=${PI_MIRROR:-http://deb.debian.org/debian}
log=$room/build.log
PATH=$PATH:/usr/sbin:/sbin

# The libcamera of trixie itself gives no pictures without a kernel's camera buffers; the newer one
# of its backports does. The compiler is for two small libraries of picamera2.
PACKAGES=ca-certificates,python3,python3-venv,python3-dev,gcc,libc6-dev,libcap-dev
LIBCAMERA=python3-libcamera/trixie-backports,libcamera-ipa/trixie-backports
MODULES="picamera2==0.3.38 opencv-python-headless numpy rich pytest hypothesis"
NEEDED_KB=2500000
system=$room/system-$(echo "$PACKAGES $LIBCAMERA $MODULES" | cksum | cut -d ' ' -f 1)
TESTS=${PI_TESTS:-tests/test_pi.py tests/pi} # which of them

skip() {
    echo "SKIPPED: THE CAMERA OF THE PI IS NOT TESTED WITH THE REAL picamera2, for $1"
    exit 0
}

make_system() {
    new=$room/new
    rm -rf "$new" "$room"/system-*
    timeout 400 mmdebstrap --variant=minbase --include="$PACKAGES,$LIBCAMERA" \
        --aptopt='Acquire::http::Timeout "20"' --dpkgopt='path-exclude=/usr/share/doc/*' \
        trixie "$new" "deb $mirror trixie main" "deb $mirror trixie-backports main" || return 1
    # Whatever this computer's way to the network needs.
    cp /etc/resolv.conf "$new/etc/" || return 1
    cp /etc/ssl/certs/ca-certificates.crt "$new/etc/ssl/certs/" 2>/dev/null || true
    mount -t proc proc "$new/proc" || return 1
    chroot "$new" python3 -m venv --system-site-packages /opt/venv || return 1
    # shellcheck disable=SC2086 # several words are meant
    timeout 300 chroot "$new" /opt/venv/bin/pip install --no-cache-dir $MODULES || return 1
    umount "$new/proc" && mv "$new" "$system"
}

# Run Python in the system, where the project is /project and cannot be written to.
python() {
    timeout --kill-after=10 "$1" env -i PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 \
        VIRTUAL_CAMERA=1 PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
        "$(command -v chroot)" "$system" \
        sh -c 'cd /project && shift && exec /opt/venv/bin/python "$@"' python "$@"
}

if [ "${1-}" != inside ]; then
    [ "$(id -u)" = 0 ] || skip "it needs root: sudo make test-pi"
    command -v mmdebstrap > /dev/null || { apt-get update && apt-get install -y mmdebstrap; } ||
        skip "mmdebstrap, which makes small Debian systems, cannot be installed"
    unshare --mount --pid --fork --mount-proc true || skip "mounts are not allowed here"
    mkdir -p "$room" || skip "$room cannot be made"
    exec unshare --mount --pid --fork --kill-child --propagation private sh "$0" inside
fi

exec 9> "$room/lock"
flock 9
if [ ! -d "$system" ]; then
    [ -z "${PI_AS_IS-}" ] || skip "its system has not been made yet; make test-pi does"
    [ "$(df -Pk "$room" | awk 'NR == 2 { print $4 }')" -gt "$NEEDED_KB" ] ||
        skip "$room has no room for a system ($NEEDED_KB kB)"
    echo "Making a Debian system for picamera2 in $room, once; about two minutes ..."
    make_system > "$log" 2>&1 || skip "no Debian system can be made; the reason ends $log"
fi
mkdir -p "$system/project" && mount --bind "$project" "$system/project" &&
    mount -o remount,bind,ro "$system/project" && mount -t proc proc "$system/proc" &&
    mount -t tmpfs tmpfs "$system/tmp" || skip "$project cannot be mounted in $system"
python 100 -m tests.pi.virtual > "$log" 2>&1 || skip "libcamera shows no picture; see $log"
# picamera2 uses what Python is going to drop, and leaves a pipe open when a camera is in use.
# shellcheck disable=SC2086 # several words are meant
python 900 -m pytest -q -p no:cacheprovider -W ignore::DeprecationWarning \
    -W ignore::ResourceWarning $TESTS
