#!/bin/sh
# Read one picture with the project installed as on a Raspberry Pi, and compare with this computer.
#
# The arm64 Debian is only unpacked, in $ARM_ROOM (400 MB), and this computer's pip lays the wheels
# for arm64 into it, so that nothing but the referee itself is emulated. qemu is the oldest
# processor with 64 bits that a Pi has: what runs there runs on all. It says nothing of speed, the
# camera or the pins. Only another reading is a failure; what is missing is told as SKIPPED.
set -eu

project=$(cd "$(dirname "$0")/../.." && pwd)
room=${ARM_ROOM:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/draughts-referee/arm}
mirror=${ARM_MIRROR:-http://deb.debian.org/debian}
python=$project/${PYTHON:-.venv/bin/python}
picture=sample_images/standard/9000.jpg
log=$room/build.log
PATH=$PATH:/usr/sbin:/sbin

PYTHON_OF_TRIXIE=3.13
PACKAGES=python3,libpython3-stdlib,libstdc++6,libgcc-s1,libexpat1,libssl3t64,zlib1g,libbz2-1.0
PACKAGES=$PACKAGES,liblzma5,libsqlite3-0,libffi8
PROCESSOR=cortex-a53

skip() {
    echo "SKIPPED: NOTHING IS READ AS ON THE PROCESSOR OF A PI, for $1"
    exit 0
}

# Wheels for the system's processor and Python, into the folder $1.
place() {
    into=$1
    shift
    timeout 600 "$python" -m pip --disable-pip-version-check install --quiet --upgrade \
        --target "$into" --python-version $PYTHON_OF_TRIXIE --implementation cp \
        --only-binary=:all: --platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 \
        --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 "$@"
}

make_system() {
    new=$room/new
    rm -rf "$new" "$room"/system-*
    timeout 400 mmdebstrap --variant=extract --architectures=arm64 --include="$PACKAGES" \
        --aptopt='Acquire::http::Timeout "20"' trixie "$new" "deb $mirror trixie main" || return 1
    for folder in lib bin sbin; do
        [ -e "$new/$folder" ] || ln -s "usr/$folder" "$new/$folder" || return 1
    done
    cp "$(command -v qemu-aarch64-static)" "$new/qemu" || return 1
    place "$new/opt/site" numpy "opencv-python-headless==$opencv" rich && mv "$new" "$system"
}

install_project() {
    copy=$(mktemp -d "$room/copy-XXXXXX")
    trap 'rm -rf "$copy"' EXIT
    tar -C "$project" -c --exclude=made --exclude=__pycache__ --exclude='*.mp4' pyproject.toml \
        README.md referee calibration hardware sample_images | tar -C "$copy" -x
    "$python" -m pip --disable-pip-version-check wheel --quiet --no-deps \
        --wheel-dir "$copy/wheel" "$copy"
    rm -rf "$system/opt/project"
    place "$system/opt/project" --no-deps "$copy"/wheel/*.whl
    cp "$project/$picture" "$system/picture.jpg"
}

referee() {
    timeout 1200 env -i HOME=/ PYTHONPATH=/opt/project:/opt/site QEMU_CPU=$PROCESSOR \
        OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$(command -v chroot)" "$system" \
        /qemu /usr/bin/python3 -m referee "$@"
}

[ "$(id -u)" = 0 ] || skip "it needs root: sudo make test-arm"
for program in mmdebstrap qemu-aarch64-static; do
    command -v $program > /dev/null ||
        skip "$program is missing: sudo apt install mmdebstrap qemu-user-static"
done
opencv=$("$python" -c 'import importlib.metadata as m; print(m.version("opencv-python"))')
system=$room/system-$(echo "$PACKAGES $opencv" | cksum | cut -d ' ' -f 1)
mkdir -p "$room"
if [ ! -d "$system" ]; then
    echo "Unpacking a Debian for arm64 in $room, once; a minute or a few ..."
    make_system > "$log" 2>&1 || skip "no Debian can be unpacked; the reason ends $log"
fi
install_project
begun=$(date +%s)
referee --version
referee look --json /picture.jpg > "$room/there.json"
echo "Emulated as $PROCESSOR in $(($(date +%s) - begun)) s, with OpenCV $opencv."
cd "$project"
"$python" -m referee look --json "$picture" > "$room/here.json"
"$python" -m tests.arm.compare "$room/here.json" "$room/there.json"
