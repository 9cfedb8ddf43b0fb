"""Computes the mounting guide: a table of heights and pixels, and its drawing.

``python firmware_config/mounting.py`` writes mounting.svg and prints the table that README.md
holds. Everything follows from the camera presets and from the sizes below.
"""

from __future__ import annotations

from pathlib import Path

from sonora_vision.camera.pi_preset import PiPreset, load_presets

BOARDS_MM = (350.0, 400.0, 450.0)
ROOM = 1.25
"""Field over board: the board is pushed about, and lies at any angle within some degrees."""
DISC_MM = 24.0
DISC_HEIGHT_MM = 6.0


def table() -> str:
    """Give the table in Markdown."""
    rows = [
        "| camera | board | height above it | field seen | mm a pixel | pixels a disc"
        " | top of a disc at the corner shifts |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for preset in load_presets().values():
        rows += [_row(preset, board_mm) for board_mm in BOARDS_MM]
    return "\n".join(rows)


def _row(preset: PiPreset, board_mm: float) -> str:
    height_mm = _height(preset, board_mm)
    across, down = preset.field_mm(height_mm)
    mm_per_px = preset.mm_per_px(height_mm)
    shift_mm = DISC_HEIGHT_MM * (board_mm / 2**0.5) / height_mm
    cells = (
        preset.title,
        f"{board_mm:.0f} mm",
        f"{height_mm / 10:.0f} cm",
        f"{across:.0f} x {down:.0f} mm",
        f"{mm_per_px:.2f}",
        f"{DISC_MM / mm_per_px:.0f}",
        f"{shift_mm:.1f} mm",
    )
    return "| " + " | ".join(cells) + " |"


def _height(preset: PiPreset, board_mm: float) -> float:
    """Height for a square board with room about it, rounded up to a centimetre, mm."""
    distance_mm = max(preset.distance_for(ROOM * board_mm, ROOM * board_mm), preset.nearest_mm)
    return 10.0 * -(-distance_mm // 10.0)


def drawing() -> str:
    """Draw the rig from the side, to scale, for Camera Module 3 and a board of 400 mm, as SVG."""
    preset, board_mm = load_presets()["module3"], 400.0
    height_mm = _height(preset, board_mm)
    _, down_mm = preset.field_mm(height_mm)
    width, table_y = 1200.0, 900.0
    middle, camera_y = width / 2, table_y - height_mm
    half_board, half_field = board_mm / 2, down_mm / 2
    # a lamp is mirrored into the camera from the board if it stands within twice the field's half
    glare = 2 * half_field
    lamp_x = glare + 80.0
    lamp_y = table_y - 0.75 * height_mm
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} 1010" '
            'font-family="sans-serif" font-size="20" fill="none" stroke="#333">',
            "<title>The rig from the side</title>",
            f'<rect width="{width:.0f}" height="1010" fill="#fff" stroke="none"/>',
            f'<path d="M40 {table_y + 12} H{width - 40}" stroke="#8a6d4a" stroke-width="20"/>',
            f'<path d="M{middle - half_board} {table_y - 3} h{board_mm}" stroke="#b5651d" '
            'stroke-width="8"/>',
            _line(middle, camera_y, middle - half_field, table_y, "#3a7bd5", dashed=True),
            _line(middle, camera_y, middle + half_field, table_y, "#3a7bd5", dashed=True),
            f'<rect x="{middle - 22}" y="{camera_y - 26}" width="44" height="26" fill="#444"/>',
            f'<path d="M{middle} {camera_y - 26} V{camera_y - 60} H90 V{table_y}" '
            'stroke-width="10" stroke="#777"/>',
            f'<path d="M{middle + 22} {camera_y - 14} h30 V{camera_y - 46} H112 V{table_y - 40}" '
            'stroke="#c33" stroke-width="3"/>',
            _line(150, camera_y, 150, table_y, "#333"),
            _text(160, (camera_y + table_y) / 2, f"{height_mm / 10:.0f} cm from lens to board"),
            _text(middle - 80, camera_y - 74, "camera, level, over the middle"),
            _text(130, camera_y - 12, "cable along the arm, with a loop", "#c33"),
            _text(middle - 90, table_y + 50, f"board {board_mm:.0f} mm"),
            _text(middle - 110, table_y + 80, f"field of view {down_mm:.0f} mm", "#3a7bd5"),
            f'<path d="M{middle - half_field} {table_y + 90} h{down_mm}" stroke="#3a7bd5"/>',
            *_lamp(min(width - 60, middle + lamp_x), lamp_y, middle + half_field, table_y),
            _text(width - 330, lamp_y - 34, "lamp: wide, soft, beside"),
            _text(width - 330, lamp_y - 10, "the board, never above it"),
            "</svg>",
            "",
        ]
    )


def _lamp(x: float, y: float, lit_x: float, lit_y: float) -> list[str]:
    return [
        f'<circle cx="{x}" cy="{y}" r="26" fill="#ffd54a"/>',
        _line(x, y + 26, lit_x - 330, lit_y, "#e0b000"),
        _line(x, y + 26, lit_x, lit_y, "#e0b000"),
    ]


def _line(x1: float, y1: float, x2: float, y2: float, color: str, *, dashed: bool = False) -> str:
    dashes = ' stroke-dasharray="10 7"' if dashed else ""
    return (
        f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" stroke="{color}"'
        f' stroke-width="2"{dashes}/>'
    )


def _text(x: float, y: float, text: str, color: str = "#333") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{color}" stroke="none">{text}</text>'


if __name__ == "__main__":
    Path(__file__).with_name("mounting.svg").write_text(drawing(), "utf-8")
    print(table())
