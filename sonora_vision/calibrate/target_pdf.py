"""The lens target as a PDF to print: true to size on A4 and Letter, with a line to check it by."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
from fpdf import FPDF
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import CharucoTarget

Paper = Literal["A4", "Letter"]

TARGET = CharucoTarget(squares=(9, 7), square_mm=25.0, marker_mm=18.0, dictionary="DICT_5X5_250")
"""What is printed. It fits both papers with margins that any printer keeps."""
CHECK_MM = 100.0
_MARGIN_MM = 8.0


def target_pdf(paper: Paper, target: CharucoTarget = TARGET) -> bytes:
    """Draw the target as vectors, landscape.

    Parameters
    ----------
    paper
        Size of the sheet.
    target
        What to draw.

    Returns
    -------
    bytes
        A PDF of one page. Printed at 100 %, its check line is 100 mm long.
    """
    page = FPDF(orientation="landscape", unit="mm", format=paper)
    page.set_title("Lens target of Sonora Vision")
    page.set_auto_page_break(False)
    page.set_margin(0)
    page.add_page()
    width_mm, height_mm = (n * target.square_mm for n in target.squares)
    left, top = (page.w - width_mm) / 2, _MARGIN_MM
    page.set_fill_color(0, 0, 0)
    board = target.board()
    for x_mm, y_mm, w_mm, h_mm in _black(target, board):
        page.rect(left + x_mm, top + y_mm, w_mm, h_mm, style="F")
    _check_line(page, target, left, top + height_mm)
    return bytes(page.output())


def _black(
    target: CharucoTarget, board: cv2.aruco.CharucoBoard
) -> list[tuple[float, float, float, float]]:
    """Black rectangles of the target, mm from its top left corner: (x, y, width, height)."""
    square, marker = target.square_mm, target.marker_mm
    columns, rows = target.squares
    markers = {  # the square that a marker lies in
        (int(corner[0] // square), int(corner[1] // square)): int(i)
        for corner, i in zip(
            (np.asarray(c)[0] for c in board.getObjPoints()),
            np.asarray(board.getIds()).ravel(),
            strict=True,
        )
    }
    dictionary = board.getDictionary()
    cells = dictionary.markerSize + 2
    cell, inset = marker / cells, (square - marker) / 2
    found = []
    for row in range(rows):
        for column in range(columns):
            x, y = column * square, row * square
            if (column, row) not in markers:
                found.append((x, y, square, square))
                continue
            bits = cv2.aruco.generateImageMarker(dictionary, markers[column, row], cells)
            for r in range(cells):
                for start, length in _runs(np.asarray(bits)[r] == 0):
                    found.append(
                        (x + inset + start * cell, y + inset + r * cell, length * cell, cell)
                    )
    return found


def _runs(black: NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], black.astype(int), [0]])))
    return [(int(s), int(e - s)) for s, e in zip(edges[::2], edges[1::2], strict=True)]


def _check_line(page: FPDF, target: CharucoTarget, left: float, bottom: float) -> None:
    y = bottom + 8.0
    page.set_draw_color(0, 0, 0)
    page.set_line_width(0.3)
    page.line(left, y, left + CHECK_MM, y)
    for x in (left, left + CHECK_MM):
        page.line(x, y - 2.5, x, y + 2.5)
    page.set_font("helvetica", size=9)
    page.set_xy(left + CHECK_MM + 4, y - 4)
    page.multi_cell(
        0,
        4,
        f"This line must be {CHECK_MM:g} mm long. If it is not: print again at 100 %, without "
        "fitting to the page.\nGlue the sheet on something flat and stiff.",
        align="L",
    )
    page.set_xy(left, y + 3.5)
    columns, rows = target.squares
    page.cell(
        0,
        4,
        f"ChArUco {columns} x {rows}, squares {target.square_mm:g} mm, "
        f"markers {target.marker_mm:g} mm, {target.dictionary}",
    )
