"""What the doctor says of a machine, with machines that are ill in known ways."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from sonora_vision.doctor.bundle import redact, write_bundle
from sonora_vision.doctor.finding import Finding, report_to_json
from sonora_vision.doctor.machine import Machine, check_machine

GOOD = {
    "numpy": "2.2.1",
    "opencv-python-headless": "4.12.0.88",
    "scikit-image": "0.25.2",
    "scipy": "1.15",
    "shapely": "2.1",
    "simplejpeg": "1.9.0",
    "picamera2": "0.3.38",
}


class Pi(Machine):
    """A Raspberry Pi in good health; each test makes it ill."""

    def __init__(self) -> None:
        self.versions: dict[str, str] = dict(GOOD)
        self.said = {
            "vcgencmd": "throttled=0x0",
            "timedatectl": "yes",
            "journalctl": "Jan 01 sonora started by ada on 192.168.1.23",
        }
        self.files = {
            "/proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0",
            "/sys/class/thermal/thermal_zone0/temp": "51000",
            "/etc/hostname": "adas-pi",
            "/etc/passwd": "root:x:0:0::/root:/bin/sh\nada:x:1000:1000:Ada L,,,:/home/ada:/bin/sh",
        }
        self.free, self.time_s, self.pointer_bits = 20e9, 1.8e9, 64

    def version(self, package: str) -> str | None:
        return self.versions.get(package)

    def run(self, *command: str) -> str | None:
        if "import picamera2" in command:
            return ""
        return self.said.get(command[0])

    def read(self, path: str) -> str | None:
        return self.files.get(path)

    def free_bytes(self, path: Path) -> int:
        return int(self.free)

    def now(self) -> float:
        return self.time_s

    def bits(self) -> int:
        return self.pointer_bits


def report(machine: Machine) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for finding in check_machine(machine, Path("/")):
        found.setdefault(finding.check, []).append(finding)
    return found


def test_a_healthy_pi_is_all_ok() -> None:
    findings = [f for each in report(Pi()).values() for f in each]
    assert {f.verdict for f in findings} == {"ok"}
    assert all(f.todo == "" for f in findings)


def test_what_is_not_ok_says_what_to_do() -> None:
    pi = Pi()
    pi.said["vcgencmd"], pi.free, pi.time_s = "throttled=0x50005", 1e8, 0.0
    pi.pointer_bits = 32
    findings = [f for each in report(pi).values() for f in each]
    ill = [f for f in findings if f.verdict in ("warning", "bad")]
    assert {f.check for f in ill} == {"system", "power", "disk", "clock"}
    assert all(f.todo for f in ill)


@pytest.mark.parametrize(
    ("said", "verdict", "text"),
    [
        ("throttled=0x1", "bad", "under-voltage now"),
        ("throttled=0x50000", "warning", "under-voltage, throttled since"),
        ("throttled=0x0", "ok", "no under-voltage"),
    ],
)
def test_power_tells_now_from_before(said: str, verdict: str, text: str) -> None:
    pi = Pi()
    pi.said["vcgencmd"] = said
    (finding,) = report(pi)["power"]
    assert finding.verdict == verdict
    assert text in finding.found


@pytest.mark.parametrize(
    ("package", "version", "text"),
    [
        ("simplejpeg", "1.6.6", "simplejpeg 1.6.6 is built for numpy 1"),
        ("scikit-image", "0.19.3", "scikit-image 0.19.3 is built for numpy 1"),
        ("numpy", "1.24.2", "opencv 4.12.0.88 needs numpy 2"),
        ("kms", "0.1", "an unrelated package"),
        ("opencv-python", "4.12", "overwrites"),
    ],
)
def test_known_conflicts_are_found(package: str, version: str, text: str) -> None:
    pi = Pi()
    pi.versions[package] = version
    assert any(text in f.found and f.todo for f in report(pi)["packages"])


def test_a_pi_without_picamera2_says_how_to_get_it() -> None:
    pi = Pi()
    del pi.versions["picamera2"]
    (finding,) = report(pi)["pi camera"]
    assert finding.verdict == "bad"
    assert "apt install" in finding.todo


def test_elsewhere_than_on_a_pi_its_checks_are_skipped() -> None:
    pi = Pi()
    pi.files, pi.said = {}, {}
    found = report(pi)
    assert {found[c][0].verdict for c in ("pi camera", "power", "heat")} == {"skipped"}


def test_this_machine_can_be_checked() -> None:
    assert list(check_machine(Machine(), Path.cwd()))


def test_the_report_is_a_document() -> None:
    document = report_to_json([f for each in report(Pi()).values() for f in each])
    assert document["kind"] == "sonora-vision/doctor"
    assert {"check", "verdict", "found", "todo"} == set(document["findings"][0])


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("from 192.168.1.23 port 8000", "192.168.1.23"),
        ("link fe80:0:0:0:a1b2:c3d4:e5f6:789a up", "a1b2"),
        ("ether b8:27:eb:12:34:56", "b8:27:eb"),
        ("Serial : 10000000abcdef01", "10000000abcdef01"),
        ("/home/ada/table.profile", "ada"),
        ("ssid=HomeNet psk=hunter2", "hunter2"),
        ("ssid=HomeNet psk=hunter2", "HomeNet"),
        ("write to ada@example.org", "example"),
        ("Jan 01 adas-pi sonora[1]: hello", "adas-pi"),
    ],
)
def test_who_and_where_is_taken_out(text: str, secret: str) -> None:
    assert secret not in redact(text, names=("adas-pi", "ada"))


def test_times_and_versions_are_left_in() -> None:
    text = "2026-01-02T03:04:05 opencv 4.12.0 read 12:30:45 in 1.5 s"
    assert redact(text) == text


def test_the_bundle_names_nobody(tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    findings = [Finding(check="profile", verdict="ok", found="/home/ada/table.profile")]
    write_bundle(path, findings, Pi())
    archive = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    text = "".join(archive.read(name).decode() for name in archive.namelist())
    for secret in ("ada", "adas-pi", "192.168.1.23"):
        assert secret not in text
    assert "started by <name>" in text
    assert json.loads(archive.read("findings.json"))["kind"] == "sonora-vision/doctor"
