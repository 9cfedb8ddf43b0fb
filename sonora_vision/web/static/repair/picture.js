"use strict";

// The board's picture with its discs, which are dragged, or moved by keys.

const ZOOMS = [1, 1.5, 2, 3, 4, 6];
const STEP_MM = 0.5;
const FINE_MM = 0.1;
const DRAG_PX = 3;

class Picture {
  constructor(repair) {
    this.repair = repair;
    this.drafts = repair.drafts;
    this.sheet = repair.find("[data-sheet]");
    this.pane = repair.find("[data-window]");
    this.layer = repair.find("[data-discs]");
    this.marks = new Map();
    this.zoom = 0;
    this.drag = null;
    this.listen();
  }

  get view() {
    return this.drafts.state.view;
  }

  // A plane at a height is seen larger the nearer it is to the camera.

  scale(height) {
    const { camera, height: seen } = this.view;
    return camera ? (camera[2] - seen) / (camera[2] - height) : 1;
  }

  toPicture([x, y], height) {
    const { camera } = this.view;
    if (!camera) return [x, y];
    const scale = this.scale(height);
    return [camera[0] + (x - camera[0]) * scale, camera[1] + (y - camera[1]) * scale];
  }

  toBoard([x, y], height) {
    const { camera } = this.view;
    if (!camera) return [x, y];
    const scale = this.scale(height);
    return [camera[0] + (x - camera[0]) / scale, camera[1] + (y - camera[1]) / scale];
  }

  faceHeight(disc) {
    return this.view.faces[disc.state] ?? 0;
  }

  face(disc) {
    return this.toPicture([disc.x, disc.y], this.faceHeight(disc));
  }

  // Where a new disc goes: the middle of what is seen, but within the board.
  middle() {
    const pane = this.pane.getBoundingClientRect();
    const [top, bottom] = [Math.max(pane.top, 0), Math.min(pane.bottom, innerHeight)];
    const point = pointOn(this.sheet, { clientX: (pane.left + pane.right) / 2, clientY: (top + Math.max(bottom, top + 40)) / 2 });
    const [left, up, width, height] = this.view.box;
    const within = (value, from, size) => Math.min(from + size * 0.9, Math.max(from + size * 0.1, value));
    return this.toBoard([within(point[0], left, width), within(point[1], up, height)], this.view.faces.flat);
  }

  focus(key) {
    const mark = this.marks.get(key);
    mark?.focus({ preventScroll: true });
    return mark !== undefined;
  }

  // Drawing.

  draw() {
    const keys = this.drafts.keys();
    for (const [key, mark] of this.marks) {
      if (!keys.includes(key)) {
        mark.remove();
        this.marks.delete(key);
      }
    }
    for (const key of keys) {
      if (!this.marks.has(key)) this.marks.set(key, this.makeMark(key));
      this.placeMark(this.marks.get(key), this.drafts.disc(key));
      this.nameMark(this.marks.get(key), this.drafts.disc(key), key);
    }
  }

  makeMark(key) {
    const mark = svg("g", { "data-key": key }, this.layer);
    for (const kind of ["hit", "foot", "halo", "face", "badge"]) svg("circle", { class: kind }, mark);
    svg("text", {}, mark);
    svg("line", { class: "gap" }, mark);
    return mark;
  }

  placeMark(mark, disc) {
    const { radius } = this.view;
    const height = this.faceHeight(disc);
    const face = this.face(disc);
    const foot = this.toPicture([disc.x, disc.y], 0);
    const [hit, ground, halo, rim, badge] = mark.querySelectorAll("circle");
    const put = (circle, [cx, cy], r) => setAll(circle, { cx, cy, r });
    put(hit, face, radius * 1.3);
    put(ground, foot, radius * this.scale(0));
    for (const circle of [halo, rim]) put(circle, face, radius * this.scale(height));
    const at = [face[0] + radius * 0.9, face[1] - radius * 0.9];
    put(badge, at, radius * 0.48);
    badge.setAttribute("fill", disc.fill ?? "#888888");
    const text = mark.querySelector("text");
    text.textContent = disc.number ?? "?";
    setAll(text, { x: at[0], y: at[1], "font-size": radius * 0.7, fill: disc.ink ?? "#ffffff" });
    const [near, far] = disc.near ? [disc.near, disc.far].map((end) => this.toPicture(end, 0)) : [foot, foot];
    setAll(mark.querySelector(".gap"), { x1: near[0], y1: near[1], x2: far[0], y2: far[1] });
  }

  nameMark(mark, disc, key) {
    const mine = disc.mine && this.drafts.editable;
    const unsaved = this.drafts.edit(key) !== undefined;
    const chosen = key === this.repair.chosen;
    const kinds = ["disc-mark", disc.kind, mine && "mine", unsaved && "pending", chosen && "chosen"];
    if (key === this.drag?.key) kinds.push("dragged");
    const said = this.repair.label(disc) + (unsaved ? `, ${this.repair.words.unsaved}` : "");
    setAll(mark, { class: kinds.filter(Boolean).join(" "), role: mine ? "button" : "img", "aria-label": said });
    if (mine) setAll(mark, { tabindex: "0", "aria-pressed": String(chosen) });
    else for (const name of ["tabindex", "aria-pressed"]) mark.removeAttribute(name);
  }

  drawLoupe(loupe, disc) {
    const [x, y] = this.face(disc);
    const half = this.view.radius * 2.2;
    loupe.setAttribute("viewBox", [x - half, y - half, 2 * half, 2 * half].join(" "));
  }

  setZoom(step) {
    const pane = this.pane;
    this.zoom = Math.min(ZOOMS.length - 1, Math.max(0, this.zoom + step));
    const [u, v] = ["Width", "Height"].map((side, axis) => {
      const at = axis ? pane.scrollTop : pane.scrollLeft;
      return (at + pane[`client${side}`] / 2) / pane[`scroll${side}`];
    });
    this.sheet.style.width = `${ZOOMS[this.zoom] * 100}%`;
    pane.classList.toggle("zoomed", this.zoom > 0);
    pane.scrollLeft = u * pane.scrollWidth - pane.clientWidth / 2;
    pane.scrollTop = v * pane.scrollHeight - pane.clientHeight / 2;
    this.reveal();
  }

  // Within the picture's own window; the page itself stays where it is.
  reveal() {
    const mark = this.marks.get(this.repair.chosen);
    if (!mark || this.zoom === 0) return;
    const [seen, outer] = [mark.getBoundingClientRect(), this.pane.getBoundingClientRect()];
    this.pane.scrollLeft += (seen.left + seen.right) / 2 - (outer.left + outer.right) / 2;
    this.pane.scrollTop += (seen.top + seen.bottom) / 2 - (outer.top + outer.bottom) / 2;
  }

  // What people do.

  listen() {
    const sheet = this.sheet;
    sheet.addEventListener("pointerdown", (event) => this.press(event));
    sheet.addEventListener("pointermove", (event) => this.pull(event));
    sheet.addEventListener("pointerup", (event) => this.release(event));
    sheet.addEventListener("pointercancel", () => this.letGo());
    sheet.addEventListener("click", (event) => this.tap(event));
    sheet.addEventListener("keydown", (event) => this.typed(event));
    sheet.addEventListener("focusin", (event) => {
      const key = event.target.closest("[data-key]")?.dataset.key;
      if (key !== undefined && key !== this.repair.chosen) this.repair.choose(key);
    });
    sheet.addEventListener("touchmove", (event) => this.drag && event.preventDefault(), { passive: false });
  }

  press(event) {
    if (this.drag) {
      this.letGo(); // a second finger: it is a pinch
      return;
    }
    const mark = event.target.closest(".disc-mark.mine");
    if (!mark || event.button) return;
    const { key } = mark.dataset;
    const face = this.face(this.drafts.disc(key));
    const from = pointOn(this.sheet, event);
    const before = this.drafts.edit(key);
    this.drag = {
      key,
      pointer: event.pointerId,
      start: [event.clientX, event.clientY],
      held: [face[0] - from[0], face[1] - from[1]],
      moved: false,
      before: before ? { ...before.put } : null,
    };
    if (this.repair.chosen !== key) this.repair.choose(key, { reveal: false }); // it is under the finger
    mark.focus({ preventScroll: true });
    this.sheet.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  pull(event) {
    const drag = this.drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.start[0], event.clientY - drag.start[1]) < DRAG_PX) return;
    drag.moved = true;
    const [x, y] = pointOn(this.sheet, event);
    const at = this.toBoard([x + drag.held[0], y + drag.held[1]], this.faceHeight(this.drafts.disc(drag.key)));
    this.repair.change(drag.key, { x: at[0], y: at[1], checked: false });
  }

  release(event) {
    if (!this.drag || event.pointerId !== this.drag.pointer) return;
    this.dragged = this.drag.moved; // the click that follows is none
    const edit = this.drafts.edit(this.drag.key);
    if (edit) edit.floating = false;
    this.drag = null;
    this.repair.draw();
  }

  letGo() {
    if (!this.drag) return;
    const { key, before, moved } = this.drag;
    this.drag = null;
    if (!moved) return;
    if (before) this.repair.change(key, before);
    else this.repair.drop(key);
  }

  tap(event) {
    const dragged = this.dragged;
    this.dragged = false;
    if (dragged || event.target.closest(".disc-mark")) return;
    const edit = this.drafts.edit(this.repair.chosen);
    if (!edit?.floating) return;
    const [x, y] = this.toBoard(pointOn(this.sheet, event), this.faceHeight(edit.put));
    this.repair.change(this.repair.chosen, { x, y });
  }

  typed(event) {
    const key = event.target.closest("[data-key]")?.dataset.key;
    if (key === undefined || !this.drafts.disc(key)?.mine || !this.drafts.editable) return;
    const arrow = ARROWS[event.key];
    const unsaved = this.drafts.edit(key) !== undefined;
    if (arrow) {
      const step = event.shiftKey ? FINE_MM : STEP_MM;
      const { x, y } = this.drafts.disc(key);
      this.repair.change(key, { x: x + arrow[0] * step, y: y + arrow[1] * step, checked: false });
    } else if (event.key === "Enter" && unsaved) this.repair.save(key);
    else if (event.key === "Escape" && unsaved) this.repair.putBack(key);
    else if (event.key === "Delete" || event.key === "Backspace") this.repair.remove(key);
    else return;
    event.preventDefault();
  }
}
