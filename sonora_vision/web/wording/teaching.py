"""What the rooms of the calibration say, as phrases (see :mod:`refusals`).

What a value stands for is told by its name; one that ends in ``words`` is a phrase in turn.
"""

from __future__ import annotations

from sonora_vision.web.wording.language import phrase

TAUGHT = (
    # whether a picture is fit
    phrase("size"),
    phrase("sharpness"),
    phrase("exposure"),
    phrase("glare"),
    phrase("board"),
    phrase("%(size)s pixels: expected %(least)s or more across"),
    phrase("%(size)s pixels"),
    phrase("sharp"),
    phrase("a little soft: check the focus"),
    phrase("blurred: focus, and hold still"),
    phrase("dark: more light, or a longer exposure"),
    phrase("too bright: less light, or a shorter exposure"),
    phrase("well exposed"),
    phrase("%(share)s %% is pure white: move the lamp, or expose less"),
    phrase("nothing is overexposed"),
    phrase("color"),
    phrase("in color"),
    phrase("grey-scale: switch the camera's night mode or black-and-white effect off"),
    phrase("no board stands out from the table: is it wholly in view?"),
    phrase("the board is cut off: raise the camera, or move it"),
    phrase("the board is small in the picture: come nearer"),
    phrase("the whole board is in view"),
    phrase("%(file)s: %(words)s; take it again"),
    phrase("No picture came with the form. Choose one."),
    phrase("No profile came with the form. Choose one."),
    # the lens
    phrase("lens: show the target, or choose to do without"),
    phrase("%(file)s: the printed target is %(words)s; show more of it, flat, in even light"),
    phrase("not in it"),
    phrase("hardly in it (%(count)s of its corners)"),
    phrase(
        "%(file)s: blurred (edges are %(width)s pixels wide, expected under %(most)s); hold the "
        "target still, and focus"
    ),
    phrase(
        "%(file)s: is %(size)s, the pictures before it are %(before)s; take all pictures in one "
        "size"
    ),
    phrase(
        "%(file)s: is %(size)s, the pictures before it are %(before)s; take all lens pictures in "
        "one size"
    ),
    phrase(
        "%(file)s: is %(size)s, but %(other_words)s is %(before)s: one of them was cropped or "
        "turned; take all pictures the same way"
    ),
    phrase("the picture of the empty board"),
    phrase("a picture of the target"),
    phrase(
        "%(file)s: %(pictures)s pictures show %(views)s different views of the ChArUco board; "
        "expected at least %(least)s: take more, sharp and from several sides"
    ),
    phrase("%(file)s: cannot be listed (%(detail)s)"),
    phrase("%(file)s: nearly the same view as %(other)s; move the target, tilt it, or turn it"),
    phrase("live"),
    phrase("%(file)s: %(count)s views are there; that is plenty"),
    phrase("hold it still"),
    phrase("it moves: hold it still"),
    phrase("taken: now move, tilt or turn it"),
    phrase("%(count)s more before the lens can be computed"),
    phrase("show the target in the %(corner_words)s of the picture"),
    phrase("top left"),
    phrase("top right"),
    phrase("bottom left"),
    phrase("bottom right"),
    phrase("%(count)s more, some of them tilted, make it sure"),
    phrase("enough"),
    phrase("%(file)s: no pictures of the ChArUco board; expected *.jpg"),
    # the board
    phrase("board: send the picture of the empty board first"),
    phrase("outline: expected three corners or more; tap the board's corners in order"),
    phrase("outline: its corners go anticlockwise; tap them clockwise from the top left"),
    phrase("outline: two corners lie on each other; drag them apart"),
    phrase("outline: its sides cross each other; tap the corners in their order"),
    phrase(
        "outline: no board seen from above has such corners; drag each onto a corner of the board"
    ),
    phrase(
        "borders: they lie so that no areas can be made of them; undo the last edit, or delete the "
        "border that is wrong"
    ),
    phrase("length: type the real length of the board's first side in mm"),
    phrase("length: type the real length of the board's first side first"),
    phrase("areas: none is labelled as a zone yet; tap an area and name its section"),
    phrase("areas: a board may have %(most)s"),
    phrase("corners: there are none to turn; draw the outline first"),
    phrase("circle: its rim lies on its middle; drag the rim outwards"),
    phrase("circles: a board may have %(most)s; delete some first"),
    phrase("circles: a circle that is a zone has no section yet; name it"),
    phrase(
        "circles: a circle has no section or no animal yet; name it, or delete it if discs do not "
        "count for it"
    ),
    phrase("borders: a board may have %(most)s; delete some first"),
    phrase("section: expected the name of the section that the area counts for"),
    phrase("rule: expected majority or lowest; got %(got)s"),
    phrase("role: expected one of %(known)s; got %(got)s"),
    phrase("value: expected a whole number of 0 to 1000, or nothing; got %(got)s"),
    phrase("%(what_words)s: expected %(low)s to %(high)s mm, measured with a ruler; got %(got)s"),
    phrase("the board's first side"),
    phrase("a launch corner"),
    phrase("the hole's depth"),
    phrase("a disc's height"),
    phrase("a disc's diameter"),
    phrase("%(key)s: expected a name of at most %(most)s letters"),
    phrase("%(key)s: expected two numbers [x, y] in pixels; got %(got)s"),
    phrase("%(key)s: expected %(least)s to %(most)s points"),
    phrase("%(key)s: expected 0 to %(most)s; got %(got)s"),
    phrase("do: expected one of %(known)s; got %(got)s"),
    phrase("edit: expected a JSON object"),
    phrase("delete: that is gone already, or has moved; look again"),
    phrase("undo: there is nothing to take back"),
    phrase("the board that was drawn: %(words)s"),
    phrase("outline: expected clockwise from the top-left corner, got anticlockwise"),
    phrase(
        "%(key)s: expected to lie within the outline (%(room_words)s), got a shape that reaches "
        "out of it (%(extent_words)s)"
    ),
    phrase("%(key)s: expected a polygon that does not cross itself, got %(detail_words)s"),
    phrase("x %(left)s to %(right)s, y %(top)s to %(bottom)s mm"),
    phrase("Self-intersection at %(place)s mm"),
    phrase("%(key)s: expected a polygon with an area, got points on one line"),
    phrase("%(key)s: missing (rule lowest compares values)"),
    # the discs
    phrase("discs: type how high a disc is, in mm"),
    phrase("discs: type their height and check their diameter, in mm"),
    phrase("discs: none is marked yet; send the picture of all discs, or tap them"),
    phrase("discs: a set may have %(most)s; delete some first"),
    phrase("discs: %(words)s"),
    phrase("type how high a disc is"),
    phrase("type a disc's diameter"),
    phrase("send the picture of all discs"),
    phrase("%(color)s: no %(numbers)s yet; tap it on the picture"),
    phrase("%(color)s: %(numbers)s is there twice; correct its number"),
    phrase("%(key)s: expected a color's name, such as red, without commas"),
    phrase("number: expected one of %(numbers)s; got %(number)s"),
    phrase("no disc was found on the board; lay all of them on it, face up"),
    phrase(
        "no disc was found where %(disc)s was clicked (pixel %(place)s); click the middle of its "
        "top face"
    ),
    phrase("%(disc)s (pixel %(place)s)"),
    phrase("%(disc_words)s was clicked beside the picture, which is %(size)s"),
    phrase(
        "%(disc_words)s and %(other_words)s were clicked nearer to each other than a disc's "
        "radius; click each disc once, and check the radius"
    ),
    phrase(
        "no disc of this size is to be seen where %(disc_words)s was clicked; click the middle of "
        "its top face, and check the discs' radius and height"
    ),
    phrase(
        "the discs measure %(seen)s mm in radius; the board's description says %(said)s: measure "
        "one across, and halve it"
    ),
    phrase("pictures: expected one of the empty board and one of all discs"),
    # the profile
    phrase("profile: make it first; answers have changed since"),
    phrase(
        "%(file)s: the printed lines miss the board description by %(miss)s mm (expected under "
        "%(most)s); check the clicked corners, the sizes in board.json, and that this is the board"
    ),
    phrase(
        "%(file)s: only %(count)s printed details are large enough to find the board by, next to "
        "its discs (expected %(least)s or more); check the board's length and the discs' size in mm"
    ),
    phrase(
        "%(file)s: the clicked corners do not fit the board's outline (off by %(miss)s px); click "
        "them in the order of the outline, clockwise from its top left"
    ),
    phrase(
        "%(file)s: of the %(what_words)s only %(part)s is where the clicked corners put it "
        "(expected %(least)s or more): click the corners as board.json names them, from the "
        "board's own top left, however it lies"
    ),
    phrase(
        "%(file)s: empty.png: expected a picture of %(size)s, as the board's outline and discs "
        "give it; calibrate again"
    ),
    phrase(
        "%(file)s: not a whole profile (%(kind)s: %(detail)s); calibrate again, or restore the "
        "file from a copy"
    ),
    phrase("%(file)s: kind: expected %(known)s, got %(got)s; is this a profile?"),
    phrase("%(file)s: schema: expected %(known)s, got %(got)s; %(words)s"),
    phrase("calibrate again"),
    phrase("update Sonora Vision"),
    phrase("%(file)s: there is no profile yet; calibrate first"),
    phrase("taught faces: %(detail)s missing; calibrate again to make them anew"),
    phrase(
        "taught faces: rings are of shape %(got)s, expected (n, %(known)s); calibrate again to "
        "make them anew"
    ),
    phrase(
        "%(file)s: the profile cannot be opened (%(detail)s); make one with sonora-vision calibrate"
    ),
    phrase("%(file)s: cannot be written: %(detail)s"),
    phrase("%(file)s: the rig's folder cannot be written: %(detail)s"),
    phrase("zones' borders"),
    phrase("multipliers"),
    phrase("hole"),
    # the check
    phrase("exactly over the %(animal)s circle of %(section)s"),
    phrase("flush with the middle of the top edge"),
    phrase("flush with the middle of the right edge"),
    phrase("flush with the middle of the bottom edge"),
    phrase("flush with the middle of the left edge"),
    phrase("good"),
    phrase("usable"),
    phrase("poor"),
    phrase("this profile reads the board well"),
    phrase("usable: discs near a border will be asked about more often than need be"),
    phrase("poor: check the typed length, the corners and the discs' height, then make it again"),
    phrase("not every disc was seen where it should be: put all three, and take the picture again"),
    phrase(
        "not every disc lies where it is asked for: put all three there, and take the picture again"
    ),
    # one photograph that is clicked
    phrase("the landmarks fit no board seen from above; is each pixel beside its own millimetres?"),
    phrase(
        "the landmarks do not fit the board: the one at %(place)s mm is off by %(miss)s px "
        "(expected under %(most)s); check the clicks and the board's measures"
    ),
    phrase(
        "the printed lines miss the board description by %(miss)s mm (expected under %(most)s); "
        "check the landmarks, and that this is the board"
    ),
    phrase(
        "of the %(what_words)s only %(part)s is where the landmarks put it (expected %(least)s or "
        "more): were the corners clicked as the description names them, from its own top left, "
        "however the board lies?"
    ),
    phrase(
        "%(key)s: pixel %(place)s lies outside the picture of %(size)s; were the clicks made on "
        "this photograph?"
    ),
    phrase("clicks: %(words)s"),
    phrase("landmarks: expected at least %(least)s, got %(got)s"),
    phrase("landmarks: expected four of which no three lie on one line, as the board's corners"),
    phrase("%(key)s: expected each point once, got %(got)s"),
    phrase("colors: no %(color)s disc; click one of each color, or take %(color)s off the board"),
)
