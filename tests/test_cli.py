"""The command line as a whole: quick to start, one line of complaint, the right exit status."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from sonora_vision import __version__
from sonora_vision.cli import COMMANDS, main
from sonora_vision.errors import FileFormatError, UnreadableError, UsageError


def test_help_imports_neither_vision_nor_pages() -> None:
    program = (
        "import sys\n"
        "from sonora_vision.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "heavy = {'cv2', 'numpy', 'scipy', 'skimage', 'shapely', 'flask', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "[]"


def test_help_lists_every_command() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    for name, help_line in COMMANDS.items():
        assert name in result.stdout
        assert help_line in result.stdout


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_registered_command_has_a_module_and_help(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Usage: ")


def test_version_is_printed() -> None:
    assert __version__ in CliRunner().invoke(main, ["--version"]).stdout


def test_no_command_prints_the_help_as_a_mistake() -> None:
    result = CliRunner().invoke(main, [])
    assert result.exit_code == 2
    assert "Commands:" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["dance"], "No such command 'dance'"),
        (["read"], "Missing argument 'PHOTOS...'"),
        (["read", "a.jpg"], "expected either --profile"),
        (["read", "a.jpg", "--profile", "p", "--order", "red,,blue"], "with commas between"),
        (["read", "a.jpg", "--profile", "p", "--jobs", "0"], "0 is not in the range"),
        (["allocate", "r.json"], "Missing option '--order'"),
        (["calibrate", "rig"], "Missing option '--out'"),
        (["serve", "--profile", "p", "--port", "99999"], "99999 is not in the range"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_status_2(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("sonora-vision: ")
    assert said in line
    assert "--help" in line


@pytest.mark.parametrize(
    ("error", "status"),
    [(UsageError("no\nway"), 2), (FileFormatError("no way"), 2), (UnreadableError("no way"), 1)],
)
def test_an_error_of_ours_is_one_line_and_its_status(
    monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(main, "get_command", lambda ctx, name: click.command()(fail))
    result = CliRunner().invoke(main, ["anything"])
    assert result.exit_code == status
    assert result.stderr == "sonora-vision: no way\n"


def test_ctrl_c_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "get_command", lambda ctx, name: click.command()(stop))
    result = CliRunner().invoke(main, ["anything"])
    assert result.exit_code == 130
    assert "Traceback" not in result.stderr


def _python(program: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], stderr=subprocess.PIPE, text=True, check=False, **options
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_results_that_find_no_room_are_one_line() -> None:
    with open("/dev/full", "w") as full:
        done = _python("from sonora_vision.cli import main; main(['--help'])", stdout=full)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "sonora-vision: results: cannot be written (No space left on device); make room where "
        "they go, and run it again"
    ]


def test_a_path_that_the_system_refuses_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_dir", refuse)
    result = CliRunner().invoke(main, ["calibrate", "closed/rig", "--out", "p"])
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "sonora-vision: closed/rig: Permission denied; check the path, and the right to use it"
    ]


def test_what_libraries_say_on_standard_error_is_not_heard() -> None:
    done = _python(
        "import os\n"
        "from sonora_vision import cli, terminal\n"
        "terminal.keep_stderr_to_ourselves()\n"
        "os.write(2, b'libpng error: Read Error')\n"
        "cli.complain('damaged')\n"
    )
    assert done.stderr == "sonora-vision: damaged\n"
