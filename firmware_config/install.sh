#!/bin/sh
# Installs Sonora Vision as a service on a Raspberry Pi: 64-bit Raspberry Pi OS, Bookworm or Trixie.
#
# usage: sudo sh install.sh [--dry-run] [--camera module3|module3wide|hq] [--source FOLDER_OR_WHEEL]
#                           [--hostname NAME] [--no-start]
#        sudo sh install.sh --uninstall [--purge] [--dry-run]
#
# Run again at any time: what is there already is kept, what has changed is brought up to date.
# --dry-run     prints every step and changes nothing
# --uninstall   takes away what was installed; games, profiles and recordings stay, unless --purge is given
set -eu

prefix=/opt/sonora-vision
settings=/etc/sonora-vision
state=/var/lib/sonora-vision
user=sonora-vision
unit=/etc/systemd/system/sonora-vision.service
announcement=/etc/avahi/services/sonora-vision.service
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

dry_run=no uninstall=no purge=no start=yes camera=module3 hostname=''
source=$(dirname -- "$here")

fail() { echo "install.sh: $1" >&2; exit 1; }
usage() { sed -n 's/^# \{0,1\}//; 3,11p' "$0"; }

while [ $# -gt 0 ]; do
    case $1 in
        --dry-run) dry_run=yes ;;
        --uninstall) uninstall=yes ;;
        --purge) purge=yes ;;
        --no-start) start=no ;;
        --camera) camera=${2:?--camera: expected module3, module3wide or hq}; shift ;;
        --source) source=${2:?--source: expected a folder or a wheel}; shift ;;
        --hostname) hostname=${2:?--hostname: expected a name}; shift ;;
        -h|--help) usage; exit 0 ;;
        *) echo "install.sh: $1: no such option" >&2; usage >&2; exit 2 ;;
    esac
    shift
done

# Does one step, or says what it would do.
step() {
    if [ "$dry_run" = yes ]; then
        echo "would: $*"
    else
        echo "+ $*"
        "$@"
    fi
}

# Puts a file in its place if it is another than what is there.
put() {
    if cmp -s "$1" "$2"; then
        echo "is there: $2"
    else
        step install -D -m "$3" "$1" "$2"
    fi
}

systemd_runs() { [ -d /run/systemd/system ]; }

check_machine() {
    [ -r /etc/os-release ] || fail "/etc/os-release is missing: expected Raspberry Pi OS"
    # shellcheck source=/dev/null
    . /etc/os-release
    case ${VERSION_CODENAME:-} in
        bookworm|trixie) ;;
        *) fail "expected Raspberry Pi OS Bookworm or Trixie, got ${PRETTY_NAME:-an unknown system}" ;;
    esac
    [ "$(getconf LONG_BIT)" = 64 ] || fail "a 32-bit system: the packages it needs are not made \
for those; install the 64-bit Raspberry Pi OS"
    case $camera in
        module3|module3wide|hq) ;;
        *) fail "--camera $camera: expected module3, module3wide or hq" ;;
    esac
    case $hostname in
        *[!a-z0-9-]*|-*|*-) fail "--hostname $hostname: expected small letters, digits and '-'" ;;
    esac
    [ -e "$source" ] || fail "--source $source: there is no such folder or wheel"
    [ "$dry_run" = yes ] || [ "$(id -u)" = 0 ] || fail "expected root: run it with sudo"
}

missing_packages() {
    wanted="python3-venv avahi-daemon"
    # outside Raspberry Pi OS (in a test) there is no package for the camera
    if apt-cache show python3-picamera2 >/dev/null 2>&1; then
        wanted="$wanted python3-picamera2"
    else
        echo "install.sh: no package python3-picamera2 here: only USB cameras will work" >&2
    fi
    for package in $wanted; do
        dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok' \
            || printf '%s ' "$package"
    done
}

install_packages() {
    packages=$(missing_packages)
    if [ -z "$packages" ]; then
        echo "is there: every package"
        return
    fi
    step apt-get update -qq
    # without its recommended packages: those are a desktop
    # shellcheck disable=SC2086  # one word a package
    step env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends $packages
}

install_user() {
    if getent passwd "$user" >/dev/null; then
        echo "is there: user $user"
    else
        step useradd --system --user-group --home-dir "$state" --no-create-home \
            --shell /usr/sbin/nologin "$user"
    fi
    if id -nG "$user" 2>/dev/null | tr ' ' '\n' | grep -qx video; then
        echo "is there: $user in group video"
    else
        step usermod --append --groups video "$user"
    fi
    [ -d "$state" ] || step install -d -m 0750 -o "$user" -g "$user" "$state"
}

install_program() {
    # apt's picamera2 fits the system's libcamera, so the environment sees the system's packages
    [ -x "$prefix/venv/bin/python" ] || step python3 -m venv --system-site-packages "$prefix/venv"
    step "$prefix/venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade "$source"
    put "$here/README.md" "$prefix/share/README.md" 0644
}

install_settings() {
    if [ -e "$settings/sonora-vision.conf" ]; then
        echo "is there, and kept: $settings/sonora-vision.conf"
    else
        put "$here/sonora-vision.conf" "$settings/sonora-vision.conf" 0644
        [ "$camera" = module3 ] || step sed -i "s/pi:module3/pi:$camera/" "$settings/sonora-vision.conf"
    fi
    put "$here/sonora-vision.service" "$unit" 0644
    put "$here/avahi.service" "$announcement" 0644
    if [ -n "$hostname" ] && [ "$(cat /etc/hostname)" != "$hostname" ]; then
        step sh -c "printf '%s\n' '$hostname' > /etc/hostname"
        if grep -qs '^127\.0\.1\.1' /etc/hosts; then
            step sed -i "s/^127\.0\.1\.1.*/127.0.1.1\t$hostname/" /etc/hosts
        else
            step sh -c "printf '127.0.1.1\t%s\n' '$hostname' >> /etc/hosts"
        fi
        if systemd_runs; then
            step hostnamectl set-hostname "$hostname"
        fi
    fi
}

start_service() {
    if ! systemd_runs; then
        echo "install.sh: systemd does not run here: the service is installed, not started" >&2
        return
    fi
    step systemctl daemon-reload
    step systemctl enable sonora-vision.service
    if [ "$start" = yes ]; then
        step systemctl restart sonora-vision.service
        echo "open http://$(cat /etc/hostname).local:8000/ and sign in with the host's PIN"
    else
        echo "not started; to start it: sudo systemctl start sonora-vision"
    fi
}

# The PIN is shown here and nowhere else: the service's own words go to the journal.
make_pin() {
    if [ -e "$state/secrets/pin" ]; then
        echo "is there: the host's PIN"
    elif [ "$dry_run" = yes ]; then
        echo "would: make up the host's PIN and show it"
    else
        pin=$(runuser -u "$user" -- "$prefix/venv/bin/sonora-vision" serve --data "$state" --new-pin)
        echo "the host's PIN: $pin (only a hash of it is kept: write it down)"
    fi
}

uninstall_all() {
    if systemd_runs && [ -e "$unit" ]; then
        step systemctl disable --now sonora-vision.service
    fi
    for path in "$unit" "$announcement" "$prefix"; do
        [ ! -e "$path" ] || step rm -rf "$path"
    done
    if [ "$purge" = yes ]; then
        for path in "$settings" "$state"; do
            [ ! -e "$path" ] || step rm -rf "$path"
        done
        ! getent passwd "$user" >/dev/null || step userdel "$user"
    else
        echo "kept: $settings, $state and user $user (--purge takes them away too)"
    fi
    if systemd_runs; then
        step systemctl daemon-reload
    fi
}

if [ "$uninstall" = yes ]; then
    [ "$dry_run" = yes ] || [ "$(id -u)" = 0 ] || fail "expected root: run it with sudo"
    uninstall_all
else
    check_machine
    install_packages
    install_user
    install_program
    install_settings
    make_pin
    start_service
fi
echo "done"
