"use strict";

// A picture on which what was found is put right. Answers live on the server: an editor draws what
// it is told and sends one edit at a time.

const words = JSON.parse(document.body.dataset.words ?? "{}");
const say = (key, values = {}) => fill(words[key], values);
// Where the wizard is one of a table's pages, its posts bear the token that the page came with.
const token = document.querySelector("meta[name=csrf-token]")?.content ?? "";

class Editor {
  constructor(root) {
    this.root = root;
    this.sheet = root.querySelector(".sheet");
    this.magnifier = root.querySelector(".magnifier");
    this.hint = root.querySelector("[data-hint]");
    this.fault = root.querySelector("[data-error]");
    this.view = JSON.parse(root.dataset.view);
    this.pending = [];
    this.zoom = 1;
    this.chosen = "";
    this.pressing = false;
    this.stale = false;
    this.sent = Promise.resolve();
    this.cross = this.view.size.map((side) => side / 2);
    const [width, height] = this.view.size;
    this.sheet.setAttribute("viewBox", `0 0 ${width} ${height}`);
    for (const parent of [this.sheet, this.magnifier]) {
      svg("image", { href: root.dataset.picture, width, height }, parent);
    }
    this.overlay = svg("g", {}, this.sheet);
    this.lens = svg("g", {}, this.magnifier);
    this.listen();
  }

  listen() {
    // A row that is drawn anew between press and release would swallow the click.
    this.root.addEventListener("pointerdown", (event) => {
      this.pressing = event.target.closest("[data-row]") !== null;
    });
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => setTimeout(() => this.release()));
    this.find("[data-undo]").addEventListener("click", () => this.send({ do: "undo" }));
    for (const button of this.root.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => this.setZoom(button.dataset.zoom === "in" ? 1 : -1));
    }
    for (const radio of this.root.querySelectorAll("[name=tool]")) {
      radio.addEventListener("change", () => this.setTool());
    }
    this.sheet.addEventListener("click", (event) => this.tapped(event));
    this.sheet.addEventListener("keydown", (event) => this.keyOnSheet(event));
    onUndoKeys(() => this.send({ do: "undo" }));
    window.addEventListener("resize", () => this.draw());
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  get tool() {
    return this.find("[name=tool]:checked").value;
  }

  setTool() {
    this.pending = [];
    this.sheet.classList.toggle("adding", this.tool !== "move");
    this.hint.textContent = this.hints[this.tool];
    this.draw();
  }

  setZoom(step) {
    this.zoom = Math.min(3, Math.max(1, this.zoom + step));
    for (const level of [2, 3]) this.sheet.classList.toggle(`z${level}`, this.zoom === level);
    this.draw();
  }

  // One edit after the other: an older answer must not be drawn over a newer one.
  send(edit) {
    this.sent = this.sent.then(() => this.tell(edit));
    return this.sent;
  }

  async tell(edit) {
    this.root.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(this.root.dataset.edit, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": token },
        body: JSON.stringify(edit),
      });
      const told = await answer.json().catch(() => ({ error: say("failed") }));
      if (told.error) {
        this.fault.textContent = told.error;
      } else if (told.picture !== this.view.picture) {
        location.reload();
      } else {
        this.fault.textContent = "";
        this.view = told;
      }
    } catch {
      this.fault.textContent = say("silent");
    }
    this.root.removeAttribute("aria-busy");
    this.draw();
  }

  // Where on the picture, in its pixels.
  place(event) {
    const [x, y] = pointOn(this.sheet, event);
    const [width, height] = this.view.size;
    const within = (value, most) => Math.round(Math.min(most, Math.max(0, value)) * 10) / 10;
    return [within(x, width), within(y, height)];
  }

  // Words on a small picture are small, or they would cover it.
  get letters() {
    return (this.sheet.clientWidth < 560 ? 11 : 15) * this.scale;
  }

  get scale() {
    const matrix = this.sheet.getScreenCTM();
    return matrix && matrix.a > 0 ? 1 / matrix.a : 1;
  }

  // A thing on the picture that is dragged, moved by arrow keys, chosen and deleted.
  handle(key, at, label, { move, remove = null, choose = null, text = "" }) {
    const attributes = { class: "handle", tabindex: 0, role: "button", "aria-label": label, "data-key": key };
    const group = svg("g", attributes, this.overlay);
    const unit = this.scale;
    svg("circle", { class: "hit", r: Math.min(22 * unit, 34) }, group);
    svg("circle", { class: "dot", r: 6 * unit }, group);
    if (text) svg("text", { "font-size": this.letters, "stroke-width": this.letters / 4, y: -14 * unit }, group).textContent = text;
    if (this.chosen && key === this.chosen) group.classList.add("on");
    const held = { at, move, remove, choose };
    const place = (to) => {
      held.at = to;
      group.setAttribute("transform", `translate(${to[0]} ${to[1]})`);
    };
    place(at);
    group.addEventListener("click", (event) => event.stopPropagation());
    group.addEventListener("blur", () => this.magnify(null));
    this.dragged(group, held, place);
    this.keyed(group, held, place);
    return group;
  }

  dragged(group, held, place) {
    group.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      group.focus();
      group.setPointerCapture(event.pointerId);
      let moved = false;
      const drag = (now) => {
        if (Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) > 3) moved = true;
        if (!moved) return;
        place(this.place(now));
        this.magnify(held.at);
      };
      const drop = () => {
        group.removeEventListener("pointermove", drag);
        this.magnify(null);
        if (moved) this.send(held.move(held.at));
        else if (held.choose) held.choose();
      };
      group.addEventListener("pointermove", drag);
      group.addEventListener("pointerup", drop, { once: true });
      group.addEventListener("pointercancel", drop, { once: true });
    });
  }

  keyed(group, held, place) {
    let timer = 0;
    group.addEventListener("keydown", (event) => {
      const arrow = ARROWS[event.key];
      if (arrow) {
        const size = event.shiftKey ? 10 : 1;
        place([held.at[0] + arrow[0] * size, held.at[1] + arrow[1] * size]);
        this.magnify(held.at);
        clearTimeout(timer);
        timer = setTimeout(() => this.send(held.move(held.at)), 500);
      } else if ((event.key === "Delete" || event.key === "Backspace") && held.remove) {
        clearTimeout(timer); // where it was to be moved is of no matter any more
        this.send(held.remove);
      } else if ((event.key === "Enter" || event.key === " ") && held.choose) held.choose();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  magnify(at) {
    this.magnifier.toggleAttribute("hidden", at === null);
    if (at === null) return;
    const reach = Math.max(18, this.view.size[0] / 50);
    this.magnifier.setAttribute("viewBox", `${at[0] - reach} ${at[1] - reach} ${2 * reach} ${2 * reach}`);
    this.magnifier.classList.toggle("left", at[0] > this.view.size[0] / 2);
    this.lens.replaceChildren();
    const arm = reach / 3;
    const path = `M${at[0] - arm} ${at[1]}h${2 * arm}M${at[0]} ${at[1] - arm}v${2 * arm}`;
    svg("path", { class: "cross", d: path, "stroke-width": reach / 40, fill: "none" }, this.lens);
  }

  tapped(event) {
    if (this.tool === "move" || event.target.closest(".handle")) return;
    this.add(this.place(event));
  }

  keyOnSheet(event) {
    if (this.tool === "move" || event.target !== this.sheet) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      event.preventDefault();
      const size = event.shiftKey ? 1 : 10;
      this.cross = [this.cross[0] + arrow[0] * size, this.cross[1] + arrow[1] * size];
      this.draw();
      this.magnify(this.cross);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.add([...this.cross]);
    } else if (event.key === "Escape") {
      this.setTool();
    }
  }

  line(points, name, closed = false) {
    return svg(closed ? "polygon" : "polyline", { class: name, points: points.map((p) => p.join(",")).join(" ") }, this.overlay);
  }

  draw() {
    if (this.pressing) {
      this.stale = true;
      return;
    }
    const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.key : "";
    this.overlay.replaceChildren();
    this.drawAll();
    this.find("[data-undo]").disabled = !this.view.undo;
    if (this.pending.length) {
      this.line(this.pending, "pending");
      for (const [cx, cy] of this.pending) svg("circle", { class: "pending", cx, cy, r: 5 * this.scale }, this.overlay);
    }
    if (this.tool !== "move" && document.activeElement === this.sheet) {
      const arm = 14 * this.scale;
      const [x, y] = this.cross;
      svg("path", { class: "cross", d: `M${x - arm} ${y}h${2 * arm}M${x} ${y - arm}v${2 * arm}` }, this.overlay);
    }
    if (focused) {
      const again = this.root.querySelector(`[data-key="${CSS.escape(focused)}"]`);
      if (again) again.focus({ preventScroll: true });
    }
  }

  release() {
    this.pressing = false;
    if (!this.stale) return;
    this.stale = false;
    this.draw();
  }

  choose(key) {
    this.chosen = key;
    this.draw();
  }

  // Shows what the server knows in a field, unless somebody is typing there.
  show(id, value) {
    const input = document.getElementById(id);
    if (document.activeElement !== input) input.value = value ?? "";
  }

  todo(words) {
    document.querySelector("[data-todo]").textContent = words;
  }
}
