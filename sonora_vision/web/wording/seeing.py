"""What the rooms of the camera and of the seeing say, as phrases (see :mod:`refusals`).

What a value stands for is told by its name; one that ends in ``words`` is a phrase in turn.
"""

from __future__ import annotations

from sonora_vision.web.wording.language import phrase

SEEN = (
    # what the camera waits for
    phrase("something reaches over the board's edge; take it away"),
    phrase("something reaches in over the board: take it away"),
    phrase("something moves on the board: wait until it lies still"),
    phrase("the light changes: wait until it is steady"),
    phrase("the camera moves: let it come to rest"),
    phrase("the board moves: let it lie"),
    phrase("the board is being turned: let it lie"),
    phrase("the picture is not sharp: clean the lens, or focus it again"),
    phrase("the picture is too bright: dim the lamp or shorten the exposure"),
    phrase("the camera gives no picture: check its cable"),
    phrase("the board could not be read"),
    phrase("the camera has not given enough pictures yet"),
    phrase("something lies over the board's edge: make sure that it is no hand"),
    phrase("too bright: dim the lamp or shorten the exposure"),
    phrase("not sharp: clean the lens, or focus it again"),
    # why a camera gives no picture
    phrase("the camera has given no picture yet"),
    phrase("%(camera)s: gives no pictures"),
    phrase("%(camera)s: gives no picture; check its cable"),
    phrase("%(camera)s: gives no full-size picture; check its cable"),
    phrase("%(camera)s: %(words)s; check its cable and plug it in again"),
    phrase("gives no pictures any more"),
    phrase("does not answer"),
    phrase("%(camera)s: no answer within %(seconds)s s; restart the program"),
    phrase("%(camera)s: stopped giving pictures (%(detail)s); check its cable"),
    phrase("%(camera)s: it has come to its end"),
    phrase("%(camera)s: the program failed; its log says more"),
    phrase("%(camera)s: takes no such setting (%(detail)s)"),
    phrase("%(camera)s: a still was asked for before the first frame"),
    phrase("%(camera)s: none of its %(count)s photos can be decoded"),
    phrase("%(camera)s: cannot be decoded further: %(detail)s"),
    phrase(
        "%(camera)s: broken off at frame %(count)s of %(all)s; what came before was used; copy or "
        "record it again"
    ),
    phrase(
        "%(camera)s: cannot be opened (%(detail)s); close the other program that uses it, e.g. a "
        "second sonora-vision or rpicam-hello"
    ),
    phrase("%(camera)s: cannot be opened; another program may hold it: close that one"),
    phrase("%(camera)s: not allowed; add this user to the group 'video'"),
    phrase("%(camera)s: no such camera; found %(found)s; plug it in or choose another"),
    phrase("no Pi camera %(camera)s; found %(found)s; %(detail)s"),
    phrase(
        "picamera2 cannot be imported (%(detail)s); on Raspberry Pi OS: apt install "
        "python3-picamera2, and a venv with --system-site-packages"
    ),
    phrase("%(file)s: expected a folder of photos; check the path"),
    phrase("%(file)s: expected photos (jpg, png, ...), found none in it"),
    phrase("%(file)s: expected a video file, found none; check the path"),
    phrase("%(file)s: not a video that can be decoded; expected e.g. MP4 or AVI"),
    phrase("%(file)s: stills of one size expected, got %(got)s"),
    phrase("the camera gives %(got)s pictures; expected one of %(known)s"),
    # what is wrong with a file
    phrase("%(file)s: expected a JPEG or PNG photograph, got something else; choose another file"),
    phrase("%(file)s: expected at most %(most)s megapixels, got more; make the picture smaller"),
    phrase("%(file)s: the file is empty; choose a JPEG or PNG photograph"),
    phrase("%(file)s: the file is empty; copy it again"),
    phrase("%(file)s: the JPEG is cut short (no end marker); copy it again"),
    phrase("%(file)s: the JPEG is damaged (%(detail)s); copy it again"),
    phrase("%(file)s: the picture cannot be decoded; it may be damaged; copy it again"),
    phrase("%(file)s: cannot be opened (%(detail)s); check the name"),
    phrase("%(file)s: not a JPEG or PNG picture; give a photograph"),
    phrase(
        "%(file)s: HEIC, AVIF or video is not read; export it as JPEG (on an iPhone: Settings, "
        "Camera, Formats, Most Compatible)"
    ),
    phrase(
        "%(file)s: %(size)s pixels is no photograph of a board (expected %(least)s or more each "
        "way, and at most %(most)s times as many one way as the other); give the whole picture"
    ),
    phrase(
        "%(file)s: %(size)s pixels is more than %(most)s megapixels; make it smaller (12 "
        "megapixels are plenty)"
    ),
    phrase("%(file)s: its file is not kept any more"),
    phrase("%(file)s: the program failed on this picture; try another photo"),
    phrase("%(file)s: %(count)s photographs are waiting to be read; try again in a few seconds"),
    # what is wrong with a picture
    phrase("the taught board was not found; is it this board, wholly in view, and sharp?"),
    phrase(
        "the board was found, but its printed details disagree on where it lies: is it covered, "
        "blurred, or another board?"
    ),
    phrase(
        "the board was found, but only %(count)s of its printed details fit (expected 12 or "
        "more): is it covered, blurred, or another board?"
    ),
    phrase(
        "the picture is %(size)s, but the camera was calibrated at %(before)s: the aspect differs, "
        "so it was cropped or turned; take pictures the same way as then"
    ),
    phrase(
        "the picture is grey-scale, but discs are told apart by their color; switch the camera's "
        "night mode or black-and-white effect off"
    ),
    phrase(
        "the picture is blurred: centers and numbers are less sure; focus, hold still, or give "
        "more light"
    ),
    phrase(
        "%(share)s %% of the board is overexposed: colors and numbers are lost there; give less "
        "light, or a shorter exposure"
    ),
    phrase(
        "a light shines on %(share)s %% of the board: colors are less sure there; move the lamp, "
        "or shade the window"
    ),
    phrase(
        "the picture is dark (half of the board under grey level %(level)s of 255): colors are "
        "less sure; give more light, or a longer exposure"
    ),
    phrase(
        "something lies over the board (%(covered)s of its %(taught)s taught details are hidden, "
        "not by discs): discs under it are not seen; take it away, photograph again"
    ),
    phrase(
        "something reaches over the board from its edge: discs under it are not seen; take it "
        "away, photograph again"
    ),
    phrase(
        "%(share)s %% of the board is out of the picture: discs there are not seen; move the "
        "board or the camera"
    ),
    phrase(
        "%(count)s discs were found where there are %(all)s: some are none, or belong to another "
        "game; look at those in doubt"
    ),
    phrase("found more than once, though each exists once: %(discs)s"),
    phrase("%(disc)s is there twice: settle which it is"),
    phrase("%(color)s is not in the order: %(count)s of its discs left out"),
    # what has changed since the profile was made
    phrase(
        "the camera has moved since teaching (tilted by %(tilt)s degrees, %(height)s mm above the "
        "board instead of %(before)s): readings still hold, but check its mount, or teach again"
    ),
    phrase(
        "printed details fit to %(fit)s pixels only: the focus or the zoom has changed since "
        "teaching, or the board is bent; calibrate the lens again"
    ),
    phrase(
        "the light has changed since teaching (%(comma_words)s): colors are less sure; bring the "
        "lamp back, or teach again in this light"
    ),
    phrase("%(times)s times as bright"),
    phrase("%(times)s times as dark"),
    phrase("of another tint"),
    phrase(
        "this is another board, or a worn or covered one (%(share)s %% of it looks unlike the "
        "taught one): read it with its own profile"
    ),
)
