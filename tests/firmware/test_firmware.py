"""What is installed on a Pi: the script, the unit, and the mounting guide's figures."""

from __future__ import annotations

import configparser
import importlib.util
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from sonora_vision.commands import serve

PROJECT = Path(__file__).parents[2]
FIRMWARE = PROJECT / "firmware_config"
INSTALL = FIRMWARE / "install.sh"


@pytest.fixture(scope="module")
def mounting() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mounting", FIRMWARE / "mounting.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_guides_table_is_the_computed_one(mounting: ModuleType) -> None:
    text = (FIRMWARE / "README.md").read_text("utf-8")
    written = text.partition("<!-- computed by mounting.py -->")[2].partition("<!-- end -->")[0]
    assert written.strip() == mounting.table()


def test_the_drawing_is_the_computed_one(mounting: ModuleType) -> None:
    drawn = (FIRMWARE / "mounting.svg").read_text("utf-8")
    assert drawn == mounting.drawing()
    ET.fromstring(drawn)


def test_every_height_shows_the_board_with_room(mounting: ModuleType) -> None:
    for row in mounting.table().splitlines()[2:]:
        _, _, board, _, field, mm_per_px, *_ = (cell.strip() for cell in row.split("|"))
        seen = [float(v) for v in re.findall(r"\d+", field)]
        assert min(seen) >= 1.25 * float(board.split()[0])
        assert float(mm_per_px) < 0.25, "a touch is judged to tenths of a millimetre"


def test_the_announcement_is_well_formed() -> None:
    root = ET.fromstring((FIRMWARE / "avahi.service").read_text("utf-8"))
    assert root.findtext("service/type") == "_http._tcp"
    assert root.findtext("service/port") == "8000"


def unit() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(FIRMWARE / "sonora-vision.service", "utf-8")
    return parser


def test_the_service_runs_without_privileges_and_is_watched() -> None:
    service = unit()["Service"]
    assert service["User"] == "sonora-vision"
    assert service["SupplementaryGroups"] == "video"
    assert service["Restart"] == "always"
    assert service["Type"] == "notify"
    assert 30 <= int(service["WatchdogSec"]) <= 120
    for hardening in ("NoNewPrivileges", "ProtectHome", "PrivateTmp", "RestrictNamespaces"):
        assert service[hardening] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == ""


def test_what_the_service_runs_is_a_command_that_phones_can_reach() -> None:
    settings = (FIRMWARE / "sonora-vision.conf").read_text("utf-8")
    (line,) = re.findall(r"^SONORA_COMMAND=(.*)$", settings, re.MULTILINE)
    name, *arguments = line.split()
    assert name == "serve"
    given = serve.command.make_context("serve", arguments).params
    assert given["host"] == "0.0.0.0"
    assert str(given["folder"]) == f"/var/lib/{unit()['Service']['StateDirectory']}"
    announced = ET.fromstring((FIRMWARE / "avahi.service").read_text("utf-8"))
    assert str(given["port"]) == announced.findtext("service/port")
    assert given["camera"] == "pi:module3"


def test_the_unit_passes_systemds_own_check(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not here: the unit is NOT checked by systemd")
    program = tmp_path / "sonora-vision"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    text = (FIRMWARE / "sonora-vision.service").read_text("utf-8")
    text = re.sub(r"^ExecStart=\S+", f"ExecStart={program}", text, flags=re.MULTILINE)
    copy = tmp_path / "sonora-vision.service"
    copy.write_text(text, "utf-8")
    checked = subprocess.run(
        [analyze, "verify", str(copy)], capture_output=True, text=True, timeout=60, check=False
    )
    about_us = [line for line in checked.stderr.splitlines() if "sonora-vision.service" in line]
    about_us = [line for line in about_us if "man:" not in line and "Documentation" not in line]
    assert about_us == []


def test_the_scripts_pass_shellcheck() -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("shellcheck is not here (apt install shellcheck): scripts are NOT checked")
    scripts = [INSTALL, *sorted(PROJECT.glob("tests/camera/**/*.sh"))]
    checked = subprocess.run(
        [shellcheck, *map(str, scripts)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--camera", "module9"], 1, "expected module3, module3wide or hq"),
        (["--hostname", "My Pi"], 1, "small letters, digits"),
        (["--source", "/nowhere"], 1, "no such folder or wheel"),
        (["--sideways"], 2, "no such option"),
    ],
)
def test_a_wrong_option_changes_nothing_and_says_what_was_expected(
    arguments: list[str], status: int, message: str
) -> None:
    done = subprocess.run(
        ["sh", str(INSTALL), "--dry-run", *arguments], capture_output=True, text=True, check=False
    )
    if "expected Raspberry Pi OS" in done.stderr:
        pytest.skip("not Debian 12 or 13: the script refuses this system, as it should")
    assert done.returncode == status
    assert message in done.stderr


BOOKWORM = PROJECT / ".venv" / "bookworm"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A Debian 12 root with this project in it; kept between runs, as a copy to work on."""
    if "SONORA_TEST_FIRMWARE" not in os.environ:
        pytest.skip("slow: run by `make test-firmware`")
    if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
        pytest.skip("needs root and mmdebstrap: the install script is NOT run")
    archive = BOOKWORM / "root.tar"
    if not archive.exists():
        BOOKWORM.mkdir(parents=True, exist_ok=True)
        fresh = BOOKWORM / "fresh.tar"
        made = subprocess.run(
            [
                "mmdebstrap",
                "--variant=minbase",
                "--quiet",
                "--include=ca-certificates,python3,python3-venv,systemd",
                "bookworm",
                str(fresh),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode != 0:
            pytest.skip(f"the mirror cannot give a Debian root: {made.stderr[-300:]}")
        fresh.rename(archive)
    folder = tmp_path_factory.mktemp("root")
    subprocess.run(["tar", "xf", str(archive), "-C", str(folder)], check=True)
    for path in ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt"):
        shutil.copy(path, folder / path[1:])
    source = folder / "src"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, source / name)
    for name in ("sonora_vision", "firmware_config"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PROJECT / name, source / name, ignore=ignore)
    yield folder
    shutil.rmtree(folder)


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the script in the root, in a mount namespace that ends with it."""
    script = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
    return subprocess.run(
        [
            "unshare",
            "--mount",
            "--fork",
            "sh",
            "-c",
            script,
            str(root),
            "env",
            "PIP_CERT=/etc/ssl/certs/ca-certificates.crt",
            "HOME=/root",
            "sh",
            "/src/firmware_config/install.sh",
            *arguments,
        ],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def listing(root: Path) -> set[str]:
    """Every file and its content's size, except logs and caches."""
    skipped = ("proc", "src", "var/log", "var/cache", "var/lib/apt", "tmp", "root")
    return {
        f"{path.relative_to(root)} {path.lstat().st_size if path.is_file() else ''}"
        for path in root.rglob("*")
        if not str(path.relative_to(root)).startswith(skipped) and "__pycache__" not in path.parts
    }


class TestInADebianRoot:
    """One story, in its order."""

    def test_a_dry_run_changes_nothing(self, root: Path) -> None:
        before = listing(root)
        done = run(root, "--dry-run")
        assert done.returncode == 0, done.stderr
        assert "would: useradd" in done.stdout
        assert listing(root) == before

    def test_installing_puts_everything_in_its_place(self, root: Path) -> None:
        done = run(root, "--camera", "hq", "--hostname", "sonora")
        assert done.returncode == 0, done.stderr + done.stdout
        assert (root / "etc/systemd/system/sonora-vision.service").exists()
        assert "pi:hq" in (root / "etc/sonora-vision/sonora-vision.conf").read_text()
        assert (root / "etc/hostname").read_text() == "sonora\n"
        assert "127.0.1.1\tsonora\n" in (root / "etc/hosts").read_text()
        assert re.search(r"^video:.*sonora-vision", (root / "etc/group").read_text(), re.MULTILINE)
        program = ["chroot", str(root), "/opt/sonora-vision/venv/bin/sonora-vision", "--version"]
        assert subprocess.run(program, capture_output=True, check=False).returncode == 0
        assert re.search(r"^the host's PIN: \d{6} ", done.stdout, re.MULTILINE)
        state = root / "var/lib/sonora-vision"
        kept = (state / "secrets" / "pin").stat()
        assert (kept.st_mode & 0o777, kept.st_uid) == (0o600, state.stat().st_uid)

    def test_installing_again_changes_nothing_and_keeps_settings(self, root: Path) -> None:
        settings = root / "etc/sonora-vision/sonora-vision.conf"
        settings.write_text(settings.read_text() + "# mine\n")
        users = (root / "etc/passwd").read_text()
        done = run(root, "--camera", "module3")
        assert done.returncode == 0, done.stderr
        assert settings.read_text().endswith("# mine\n")
        assert "pi:hq" in settings.read_text()
        assert (root / "etc/passwd").read_text() == users
        assert "is there: every package" in done.stdout
        assert "is there: the host's PIN" in done.stdout

    def test_uninstalling_keeps_what_is_the_users(self, root: Path) -> None:
        profile = root / "var/lib/sonora-vision/table.profile"
        profile.write_text("mine")
        done = run(root, "--uninstall")
        assert done.returncode == 0, done.stderr
        assert not (root / "opt/sonora-vision").exists()
        assert not (root / "etc/systemd/system/sonora-vision.service").exists()
        assert profile.exists()

    def test_purging_takes_that_too(self, root: Path) -> None:
        for _ in range(2):  # the second time there is nothing left to take
            done = run(root, "--uninstall", "--purge")
            assert done.returncode == 0, done.stderr
        assert not (root / "var/lib/sonora-vision").exists()
        assert "sonora-vision" not in (root / "etc/passwd").read_text()
