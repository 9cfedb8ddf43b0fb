"""What the wizard's script says, in the visitor's language; it puts values in where braces are."""

from __future__ import annotations

from sonora_vision.web.wording import terms
from sonora_vision.web.wording.language import gettext


def script_words() -> dict[str, str]:
    """Return every text of the script by its key.

    A field's label has its short form before the first comma.
    """
    return _asked() | _board() | _discs()


def _asked() -> dict[str, str]:
    return {
        "sending": gettext("Sending and looking; this takes some seconds"),
        "camera": gettext("camera"),
        "again": gettext("The program does not answer. Trying again"),
        "failed": gettext("The program failed. Its log says more."),
        "silent": gettext("The program does not answer. Is it still running?"),
        "todo": gettext("Still to do: {what}."),
        "delete": gettext("Delete"),
    }


def _board() -> dict[str, str]:
    return {
        "board_todo": gettext("Still to do. {what}"),
        "board_done": gettext("The board is complete."),
        "hint_board_move": gettext(
            "Drag what is not where it should be. With the keyboard: Tab to it, then the arrow "
            "keys."
        ),
        "hint_circle": gettext("Tap the middle of the circle, then its rim."),
        "hint_border": gettext(
            "Tap along a printed border, from where it starts to where it ends, then press Finish."
        ),
        "hint_outline": gettext(
            "Tap the board's corners clockwise, its top left first, then press Finish."
        ),
        "raised": gettext("raised"),
        "a_zone": gettext("a zone"),
        "nothing": gettext("nothing"),
        "multiplier": gettext("a multiplier"),
        "the_hole": gettext("the hole"),
        "corner": gettext("Corner {number}"),
        "circle": gettext("Circle {number}"),
        "circle_of": gettext("Circle {number}, {animal}"),
        "rim": gettext("Rim of circle {number}"),
        "border_point": gettext("Border {number}, point {point}"),
        "value": gettext("value, a number"),
        "area_is": gettext("Area {letter} is"),
        "area_section": gettext("section, of area {letter}"),
        "area_height": gettext("height in mm, of area {letter}"),
        "circle_is": gettext("Circle {number} is"),
        "circle_animal": gettext("animal, of circle {number}"),
        "circle_section": gettext("section, of circle {number}"),
        "delete_circle": gettext("Delete circle {number}"),
        "show_points": gettext("Show its points"),
        "show_border": gettext("Show the points of border {number}"),
        "delete_border": gettext("Delete border {number}"),
        "side": gettext("C{one} to C{other} {mm} mm"),
        "sides": gettext("Sides: {sides}"),
    }


def _discs() -> dict[str, str]:
    return {
        "discs_done": gettext("The discs are complete."),
        "hint_discs_move": gettext(
            "Drag a mark to the middle of its disc's top face. With the keyboard: Tab to it, then "
            "the arrow keys."
        ),
        "hint_disc": gettext("Tap the middle of a disc that has no mark."),
        "first_color": terms.color("red"),
        "new_color": gettext("new color"),
        "another_color": gettext("another color"),
        "color_name": gettext("color's name, instead of {name}"),
        "disc_color": gettext("Color of disc {number}"),
        "disc_number": gettext("Number of disc {number}"),
        "delete_disc": gettext("Delete disc {disc}"),
        "count_one": gettext("{count} disc"),
        "count_many": gettext("{count} discs"),
    }
