"""The command line: one group whose commands are loaded only when they are asked for.

Results go to standard output, everything else to standard error. A mistake that is the user's to
mend is one line and an exit status, never a traceback.
"""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import click

from sonora_vision import __version__
from sonora_vision.errors import SonoraError

COMMANDS: Mapping[str, str] = {
    "calibrate": "Make a profile from a rig's pictures and answers.",
    "read": "Say what each player records, from photographs.",
    "clicks": "Click on a photograph that has no rig, in the browser.",
    "allocate": "Say what each player records, from a reading.",
    "evaluate": "Measure readings against what really lay there.",
    "serve": "Serve a table: games, phones, its camera, photographs.",
    "score": "Score a position of another game, typed as one line.",
    "sheet": "Check or draw a scoresheet.",
    "play": "Keep a whole game in a log: rounds, marks, scores.",
    "advise": "Say how a player writes best, when asked.",
    "cards": "Check a card file of the owner's.",
    "watch": "Read the board by itself, whenever it has changed and lies still.",
    "capture": "Take a photograph with a camera into a rig folder.",
    "bench": "Say how long reading takes here, stage by stage.",
    "doctor": "Say what ails this machine, its camera and its profile.",
}
"""Every command and its help line: the module of that name in `sonora_vision.commands`."""

_INTERRUPTED_STATUS = 130
"""What shells report for a program ended by Ctrl-C (128 + SIGINT)."""


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is run, not before."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order that a new user needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"sonora_vision.commands.{cmd_name.replace('-', '_')}")
        command = module.command
        if not isinstance(command, click.Command):
            raise TypeError(f"{module.__name__}.command: expected a click command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the registry, so that help imports none of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run, and end the process with a status and at most one line of complaint."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode, **extra)
        try:
            status = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except SonoraError as error:
            _end(str(error), error.exit_status)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            sys.exit(2)
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else "sonora-vision"
            _end(f"{error.format_message()} (see: {path} --help)", 2)
        except click.ClickException as error:
            _end(error.format_message(), error.exit_code)
        except (click.Abort, KeyboardInterrupt):
            _end("interrupted", _INTERRUPTED_STATUS)
        except OSError as error:
            _end_by_system(error)
        sys.exit(status if isinstance(status, int) else 0)


def complain(message: str) -> None:
    """Say on standard error what is wrong, in one line."""
    click.echo("sonora-vision: " + " ".join(message.split()), err=True)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
)
@click.version_option(__version__, prog_name="sonora-vision")
def main() -> None:
    """Read a flicked-disc board game from one overhead camera.

    Make a profile of your camera and board once (calibrate), then read photographs (read).
    Exit status: 0 done, 1 a photo could not be read, 2 a wrong command line or file.
    """


def _end_by_system(error: OSError) -> NoReturn:
    """End for what the system refuses: a closed folder, or results that find no room.

    Raises
    ------
    OSError
        The error itself, where it names no file and is not about room.
    """
    reason = error.strerror or str(error)
    if error.filename is not None:
        _end(f"{os.fsdecode(error.filename)}: {reason}; check the path, and the right to use it", 2)
    if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        raise error
    # What is still buffered for it would fail once more when the program ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    _end(f"results: cannot be written ({reason}); make room where they go, and run it again", 2)


def _end(message: str, status: int) -> NoReturn:
    complain(message)
    sys.exit(status)
