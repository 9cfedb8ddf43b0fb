#!/bin/sh
# Runs the Pi camera's adapter on the real Picamera2 over libcamera's virtual cameras.
# Usage: run.sh FOLDER    FOLDER keeps the Debian 13 root between runs (about 1 GB).
# Needs root, mmdebstrap and a Debian mirror; two minutes the first time, then some seconds.
# Status 0 also where the mirror cannot give the packages: then a line says that nothing was tried.
set -eu

folder=$(realpath -m "${1:?usage: run.sh FOLDER}")
here=$(realpath "$(dirname "$0")")
project=$(realpath "$here/../../..")
root=$folder/root

skip() { echo "*** test-camera: NOT RUN: $1 ***"; exit 0; }
fail() { echo "test-camera: $1" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail "needs root, for a Debian root of its own; run it with sudo"

make_root() {
    command -v mmdebstrap >/dev/null || apt-get install -y -qq --no-install-recommends mmdebstrap \
        >/dev/null 2>&1 || skip "mmdebstrap is missing and cannot be installed"
    mirror=$(sed -n 's/^URIs: *\([^ ]*\/debian\)\/*$/\1/p; s/^deb .*\(http[^ ]*\/debian\)\/* .*/\1/p' \
        /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -1)
    [ -n "$mirror" ] || skip "no Debian mirror in this machine's apt sources"
    key=/usr/share/keyrings/debian-archive-keyring.gpg
    rm -rf "$folder"
    mkdir -p "$folder"
    packages=ca-certificates,python3,python3-venv,python3-dev,gcc,libc6-dev,libcap-dev
    for package in python3-libcamera libcamera0.7 libcamera-ipa; do
        packages=$packages,$package/trixie-backports  # trixie's own 0.4.0 hangs
    done
    timeout 900 mmdebstrap --quiet --variant=minbase --include="$packages" \
        --aptopt='APT::Install-Recommends "false"' --dpkgopt='path-exclude=/usr/share/doc/*' \
        trixie "$root" "deb [signed-by=$key] $mirror trixie main" \
        "deb [signed-by=$key] $mirror trixie-backports main" >"$folder/mmdebstrap.log" 2>&1 \
        || { tail -5 "$folder/mmdebstrap.log"; skip "the mirror cannot give the packages"; }
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    chroot "$root" python3 -m venv --system-site-packages /opt/venv
    timeout 600 chroot "$root" env PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
        /opt/venv/bin/pip install --quiet --disable-pip-version-check picamera2 \
        opencv-python-headless scipy shapely pytest 2>"$folder/pip.log" \
        || { tail -5 "$folder/pip.log"; skip "the package index cannot give picamera2"; }
    cp "$here/../pykms_stub.py" "$root/opt/venv/lib/python3.13/site-packages/pykms.py"
    touch "$folder/complete-2"
}

[ -f "$folder/complete-2" ] || make_root

# the project as it is now, without the dependencies that cameras and watching do not need
rm -rf "$root/opt/project"
mkdir -p "$root/opt/project/tests/camera" "$root/usr/share/libcamera/pipeline/virtual"
cp -r "$project/sonora_vision" "$root/opt/project/"
cp -r "$here" "$root/opt/project/tests/camera/"
touch "$root/opt/project/tests/__init__.py" "$root/opt/project/tests/camera/__init__.py"
cp "$here/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/virtual.yaml"
chroot "$root" /opt/venv/bin/python -c '
import cv2, numpy
picture = numpy.zeros((1080, 1920, 3), "uint8")
picture[:, :960, 0] = picture[:, 960:, 2] = 220
cv2.imwrite("/opt/picture.jpg", picture)'

# a mount namespace of its own: nothing stays mounted, whatever happens
# shellcheck disable=SC2016  # expanded inside
exec timeout 600 unshare --mount --fork sh -c '
    mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/dev/shm" || exit 1
    cd / && exec chroot "$0" env HOME=/tmp LIBCAMERA_LOG_LEVELS="*:ERROR" \
        sh -c "cd /opt/project && exec timeout 300 /opt/venv/bin/python -m pytest -q \
            -p no:cacheprovider tests/camera/virtual"' "$root"
