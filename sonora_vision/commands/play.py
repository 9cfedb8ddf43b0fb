"""``sonora-vision play``: a whole game kept in a log."""

from __future__ import annotations

from pathlib import Path

import click

from sonora_vision.calibrate.file_format import json_text
from sonora_vision.commands.options import order_option
from sonora_vision.errors import UsageError
from sonora_vision.score.sonora.events import parse_event
from sonora_vision.score.sonora.flick_phase import next_flick
from sonora_vision.score.sonora.game_state import RIVAL, GameState, new_game
from sonora_vision.score.sonora.log import GameLog, recover
from sonora_vision.score.sonora.rounds import scores
from sonora_vision.score.sonora.sheet_file import house_sheet, load_sheet
from sonora_vision.score.sonora.state_text import state_text
from sonora_vision.score.sonora.write_phase import current_sheets


@click.command()
@click.argument("log_file", metavar="GAME.log", type=click.Path(path_type=Path))
@click.argument("events", metavar="[EVENT]...", nargs=-1)
@order_option("--new", "colors", help="Begin a game: colors in seat order, clockwise.")
@click.option("--first", help="Who plays first in round 1; the first color if not given.")
@click.option("--rounds", default="standard", show_default=True, help="5, 6, 7 or their names.")
@click.option("--seats", default="", metavar="0,2", help="Corners where players sit, clockwise.")
@click.option("--solo", is_flag=True, help="Play alone against the rival, with three colors.")
@click.option("--no-bunting", is_flag=True, help="Ban flicks straight into the adjacent zone.")
@click.option("--spanish", multiple=True, metavar="LINE", help="A rule line of the Spanish book.")
@click.option("--sheet", "sheet_file", type=click.Path(path_type=Path), help="A sheet.toml.")
@click.option("--recover", "recovering", is_flag=True, help="Cut off a half-written last line.")
@click.option("--json", "as_json", is_flag=True, help="Print the game as JSON.")
def command(
    log_file: Path,
    events: tuple[str, ...],
    colors: tuple[str, ...],
    first: str | None,
    rounds: str,
    seats: str,
    solo: bool,
    no_bunting: bool,
    spanish: tuple[str, ...],
    sheet_file: Path | None,
    recovering: bool,
    as_json: bool,
) -> None:
    """Begin a game in GAME.log, or go on with it: each EVENT is one text.

    Without an event, say where the game stands. Events are such as 'flick red 3 on',
    'read red: 2@ruins | blue: 4@owl', 'write red ruins B 2', 'done red', 'undo'.
    """
    if recovering and (beside := recover(log_file)):
        click.echo(f"{log_file}: the half-written last line is kept in {beside}", err=True)
    if colors:
        game = new_game(
            load_sheet(sheet_file) if sheet_file else house_sheet(),
            colors,
            first=first,
            rounds=int(rounds) if rounds.isascii() and rounds.isdigit() else rounds,
            seats=_seats(seats),
            solo=solo,
            no_bunting=no_bunting,
            spanish=frozenset(spanish),
        )
        log = GameLog.create(log_file, game)
    else:
        log = GameLog.resume(log_file)
    for text in events:
        log.append(parse_event(text))
    state = log.history.now
    click.echo(_json(state) if as_json else _text(state), nl=not as_json)


def _seats(text: str) -> tuple[int, ...]:
    """Read the corners of the table."""
    words = text.split(",") if text else []
    if not all(word.isascii() and word.isdigit() for word in words):
        raise UsageError(f"--seats: expected corners of 0 to 3 with commas between, got {text!r}")
    return tuple(int(word) for word in words)


def _now(state: GameState) -> str:
    """Say what is to be done now."""
    match state.phase:
        case "flick":
            again = ", ".join(f"{color} {number}" for color, number in state.owed)
            return (
                f"flick again: {again}" if again else f"to flick: {' or '.join(next_flick(state))}"
            )
        case "read":
            return "read the board"
        case "choose":
            return "choose your color and the rival's"
        case "swap":
            waiting = [writer for writer in state.setup.writers if writer not in state.ready]
            return f"settle, swap or be ready: {', '.join(waiting)}"
        case "rival":
            return f"mark for the {RIVAL}"
        case "ruins":
            return f"records Ruins discs: {state.ruins_queue[0]}"
        case "write":
            waiting = [writer for writer in state.setup.writers if writer not in state.done]
            return f"to write: {', '.join(waiting)}"
        case "over":
            return "the game is over"


def _text(state: GameState) -> str:
    """Write where the game stands for a person."""
    score = scores(state)
    lines = [
        f"round {state.round} of {state.setup.rounds}, {state.phase}: {_now(state)}",
        f"turn order {', '.join(state.order)}; board turned {state.turn_deg} degrees",
    ]
    for player in score.players:
        sheet = current_sheets(state)[player.player]
        rows = ", ".join(f"{row.label} {row.value}" for row in player.rows)
        lines.append(f"{player.player}: {player.total} ({rows})")
        lines.append(f"    {state_text(state.setup.setting, sheet) or 'nothing marked'}")
    if state.phase == "over" and score.winners:
        lines.append(f"wins: {', '.join(score.winners)}")
    return "\n".join([*lines, *state.notes])


def _json(state: GameState) -> str:
    """Write where the game stands for a program."""
    sheets = current_sheets(state)
    return json_text(
        {
            "kind": "sonora-vision/game",
            "schema": 1,
            "round": state.round,
            "rounds": state.setup.rounds,
            "phase": state.phase,
            "now": _now(state),
            "order": list(state.order),
            "turn_deg": state.turn_deg,
            "players": [
                {
                    "player": player.player,
                    "total": player.total,
                    "sections": {row.label: row.value for row in player.rows},
                    "marks": state_text(state.setup.setting, sheets[player.player]),
                }
                for player in scores(state).players
            ],
            "winners": list(scores(state).winners) if state.phase == "over" else [],
            "notes": list(state.notes),
        }
    )
