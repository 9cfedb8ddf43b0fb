#!/bin/sh
# Puts the real picamera2 and a libcamera beside the project's Python 3.11, for tests alone.
# Nothing is installed into the system or the project's environment: all of it lies in one folder.
# Needs Debian 12, apt and pip; about half a minute. Status 3 where this machine cannot have it.
set -eu

python=${1:?usage: install_real_picamera2.sh PYTHON FOLDER}
folder=$(realpath -m "${2:?usage: install_real_picamera2.sh PYTHON FOLDER}")

cannot() { echo "no real picamera2 here: $1" >&2; exit 3; }

[ -f "$folder/complete" ] && exit 0
# shellcheck source=/dev/null
. /etc/os-release
[ "${VERSION_CODENAME:-}" = bookworm ] || cannot "this is not Debian 12"
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || cannot "not Python 3.11"
[ -f /usr/include/sys/capability.h ] || apt-get install -y -qq --no-install-recommends libcap-dev \
    || cannot "libcap-dev is missing and cannot be installed"

rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/debs"
mirror=$(sed -n 's/^URIs: *\([^ ]*\/debian\)\/*$/\1/p; s/^deb .*\(http[^ ]*\/debian\)\/* .*/\1/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -1)
[ -n "$mirror" ] || cannot "no Debian mirror in the machine's apt sources"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
for suite in bookworm bookworm-backports; do
    echo "deb [signed-by=$keyring] $mirror $suite main"
done > "$folder/apt/sources.list"

fetch() {
    apt-get -q -o "Dir::Etc::sourcelist=$folder/apt/sources.list" \
        -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$folder/apt/lists" \
        -o "Dir::Cache=$folder/apt/cache" -o APT::Sandbox::User=root "$@"
}
fetch update >/dev/null || cannot "the mirror does not answer"
(cd "$folder/debs" && fetch download python3-libcamera/bookworm-backports \
    libcamera0.3/bookworm-backports liblttng-ust1 liblttng-ust-common1 libunwind8 >/dev/null) \
    || cannot "the mirror has not the packages"
for package in "$folder"/debs/*.deb; do
    dpkg -x "$package" "$folder/root"
done

"$python" -m pip install -q --target "$folder/site" picamera2 || cannot "pip cannot build picamera2"
# picamera2 imports a screen's driver that it never uses here
cp "$(dirname "$0")/pykms_stub.py" "$folder/site/pykms.py"
rm -rf "$folder/apt" "$folder/debs"
touch "$folder/complete"
