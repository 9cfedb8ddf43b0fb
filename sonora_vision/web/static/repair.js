"use strict";

// Discs are dragged, or moved by keys, on the picture. What was changed and is not saved lies over
// what the table says, and stays there when the table changes; the server alone rules on places.

const SVG = "http://www.w3.org/2000/svg";
const ZOOMS = [1, 1.5, 2, 3, 4, 6];
const STEP_MM = 0.5;
const FINE_MM = 0.1;
const DRAG_PX = 3;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FOLLOWS_FROM_THE_PLACE = ["in_hole", "launch_corner"];

const svg = (name, attributes, parent) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
};
const html = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, key) => values[key]);
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
// crypto.randomUUID is not there on a page without https, as a table's are.
const newId = () => [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");

class Repair {
  constructor(root) {
    this.root = root;
    this.words = JSON.parse(root.dataset.words);
    this.state = JSON.parse(root.dataset.state);
    this.token = document.querySelector("meta[name=csrf-token]")?.content || "";
    this.sheet = this.find("[data-sheet]");
    this.form = this.find("form");
    this.fields = this.form.elements;
    this.pending = new Map();
    this.marks = new Map();
    this.chosen = null;
    this.zoom = 0;
    this.drag = null;
    root.classList.add("scripted");
    this.store = `repair ${root.dataset.game}`;
    this.recall();
    this.listen();
    if (this.sheet) this.listenToSheet();
    const asked = new URLSearchParams(location.search).get("disc");
    this.choose(this.disc(asked)?.mine ? asked : [...this.pending.keys()][0] ?? null);
    for (const key of this.pending.keys()) this.ask(key);
    this.follow();
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  // What is shown: the table's discs, with what is not saved yet laid over them.

  get editable() {
    return this.state.phase === "settle";
  }

  saved(key) {
    return this.state.discs.find((disc) => String(disc.index) === key);
  }

  disc(key) {
    if (key === null || key === undefined) return null;
    const edit = this.pending.get(key);
    const saved = this.saved(key);
    if (!edit) return saved ?? null;
    return { ...saved, mine: true, name: this.words.new, kind: "settled", doubts: [], ...edit.judged, ...edit.put };
  }

  keys() {
    const added = [...this.pending.keys()].filter((key) => key.startsWith("new"));
    return [...this.state.discs.map((disc) => String(disc.index)), ...added];
  }

  change(key, put) {
    if (!this.editable) return;
    let edit = this.pending.get(key);
    if (!edit) {
      const { color, number, x, y, state } = this.saved(key);
      const said = FOLLOWS_FROM_THE_PLACE.includes(state) ? "flat" : state;
      edit = { put: { color, number, x, y, state: said, checked: false }, judged: {}, id: newId() };
      this.pending.set(key, edit);
    }
    const moved = "x" in put || "y" in put;
    if (moved && edit.put.state === "off_board" && !("state" in put)) put = { ...put, state: "flat" };
    Object.assign(edit.put, put);
    edit.id = newId(); // another content is another act
    this.remember();
    this.draw();
    this.ask(key);
  }

  add(at) {
    const key = `new-${newId()}`;
    const { actorColor } = this.root.dataset;
    const gone = this.state.missing.find((disc) => !actorColor || disc.color === actorColor);
    const color = gone?.color ?? (actorColor || this.fields.color.options[0].value);
    const put = { color, number: gone?.number ?? null, x: at[0], y: at[1], state: "flat", checked: false };
    this.pending.set(key, { put, judged: {}, id: newId(), floating: true });
    this.choose(key);
    this.ask(key);
    this.marks.get(key)?.focus();
  }

  drop(key) {
    this.pending.delete(key);
    this.remember();
    if (!this.saved(key) && this.chosen === key) this.chosen = null;
    this.choose(this.chosen);
  }

  remember() {
    const kept = [...this.pending].map(([key, { put, id }]) => [key, { put, id, judged: {} }]);
    try {
      if (kept.length) sessionStorage.setItem(this.store, JSON.stringify({ of: this.state.of, kept }));
      else sessionStorage.removeItem(this.store);
    } catch {
      // a browser without storage forgets at a reload
    }
  }

  recall() {
    try {
      const { of, kept } = JSON.parse(sessionStorage.getItem(this.store)) ?? {};
      if (of !== this.state.of || !this.editable) return;
      for (const [key, edit] of kept) if (key.startsWith("new") || this.saved(key)) this.pending.set(key, edit);
    } catch {
      this.pending.clear();
    }
  }

  // Asking and telling the server.

  async send(to, body, headers = {}) {
    const answer = await fetch(to, {
      method: "POST",
      headers: { "X-CSRFToken": this.token, "X-Requested-With": "fetch", ...headers },
      body,
    });
    const told = await answer.json().catch(() => ({ words: this.words.silent }));
    return { ok: answer.ok, status: answer.status, told };
  }

  judge(key, put, line = false) {
    const disc = key.startsWith("new") ? "new" : key;
    const body = JSON.stringify({ disc, ...put, line });
    return this.send(this.root.dataset.judge, body, { "Content-Type": "application/json" });
  }

  // One question at a time; what changed meanwhile is asked next.
  async ask(key) {
    const edit = this.pending.get(key);
    if (!edit) return;
    edit.again = true;
    if (edit.asking) return;
    edit.asking = true;
    while (edit.again && this.pending.get(key) === edit) {
      edit.again = false;
      if (edit.put.number === null && this.fields.number) break;
      try {
        const { ok, told } = await this.judge(key, edit.put);
        edit.refusal = ok ? "" : told.words;
        if (ok) {
          const { x, y, color, number, state, ...judged } = told;
          edit.judged = judged;
        }
      } catch {
        edit.refusal = this.words.silent;
      }
      this.draw();
      if (key === this.chosen && !edit.again) this.sayVerdict();
    }
    edit.asking = false;
  }

  async ontoTheLine(key) {
    const disc = this.disc(key);
    try {
      const { ok, told } = await this.judge(key, disc, true);
      if (ok) this.change(key, { x: told.x, y: told.y, checked: true });
      this.fault(ok ? "" : told.words);
    } catch {
      this.fault(this.words.silent);
    }
  }

  async save(key) {
    const edit = this.pending.get(key) ?? { put: this.disc(key), id: newId() };
    const { color, number, x, y, state, checked } = edit.put;
    const values = { disc: key.startsWith("new") ? "new" : key, color, number: number ?? "", x, y, state };
    if (checked) values.checked = "yes";
    const before = this.state.discs.length;
    if (!(await this.tell(this.root.dataset.save, { do: "save", ...values }, edit.id))) return false;
    this.pending.delete(key);
    this.remember();
    if (key.startsWith("new") && this.state.discs.length > before) key = String(Math.max(...this.state.discs.map((disc) => disc.index)));
    this.choose(key);
    this.say(fill(this.words.saved, { disc: capital(this.disc(key)?.name ?? "") }));
    return true;
  }

  async remove(key) {
    const name = capital(this.disc(key).name);
    if (key.startsWith("new")) {
      this.drop(key);
      return;
    }
    if (!(await this.tell(this.root.dataset.save, { do: "remove", disc: key }, newId()))) return;
    this.drop(key);
    this.say(fill(this.words.removed, { disc: name }));
    this.root.querySelector("[data-repairs] button")?.focus();
  }

  async undo(seq) {
    if (await this.tell(this.root.dataset.undo, { seq }, newId())) {
      this.choose(this.disc(this.chosen) ? this.chosen : null);
      this.say(this.words.undone);
    }
  }

  async tell(to, values, id) {
    const body = new URLSearchParams({ ...values, of: this.state.of, action_id: id });
    this.root.setAttribute("aria-busy", "true");
    try {
      const { ok, status, told } = await this.send(to, body);
      if (ok) this.take(told);
      else this.fault(told.words);
      if (status === 409) this.look();
      return ok;
    } catch {
      this.fault(this.words.silent);
      return false;
    } finally {
      this.root.removeAttribute("aria-busy");
    }
  }

  async look() {
    try {
      const answer = await fetch(this.root.dataset.look, { cache: "no-store" });
      if (answer.ok) this.take(await answer.json());
    } catch {
      // the stream tells when the table is there again
    }
  }

  take(state) {
    if (state.seq < this.state.seq) return; // an older answer that was overtaken
    if (state.of !== this.state.of) {
      this.pending.clear();
      this.remember();
      location.reload();
      return;
    }
    const names = new Map([...this.pending.keys()].map((key) => [key, this.disc(key).name]));
    this.state = state;
    for (const [key, name] of names) {
      if (!key.startsWith("new") && !this.saved(key)) {
        this.pending.delete(key);
        this.fault(fill(this.words.gone, { disc: name }));
      }
    }
    if (this.chosen !== null && !this.disc(this.chosen)) this.chosen = null;
    this.remember();
    this.draw();
  }

  follow() {
    const source = new EventSource(this.root.dataset.stream);
    source.addEventListener("game", () => this.look());
    source.addEventListener("gone", () => location.assign("/"));
    let poll = null;
    source.addEventListener("open", () => clearInterval(poll));
    source.addEventListener("error", () => {
      clearInterval(poll);
      poll = setInterval(() => this.look(), 4000);
    });
    window.addEventListener("pagehide", () => source.close());
    document.addEventListener("visibilitychange", () => document.hidden || this.look());
  }

  // Saying.

  say(words) {
    this.find("[data-said]").textContent = words;
    this.fault("");
  }

  fault(words) {
    const place = this.find("[data-fault]");
    place.textContent = words;
    place.hidden = !words;
  }

  sayVerdict() {
    clearTimeout(this.saying);
    this.saying = setTimeout(() => {
      const disc = this.disc(this.chosen);
      if (disc) this.find("[data-said]").textContent = this.label(disc);
    }, 400);
  }

  label(disc) {
    const at = fill(this.words.at, { x: disc.x.toFixed(1), y: disc.y.toFixed(1) });
    return [capital(disc.name), disc.headline, disc.gap, ...disc.doubts, at].filter(Boolean).join(", ");
  }

  // Where things are: a plane at a height is seen larger the nearer it is to the camera.

  scale(height) {
    const { camera, height: seen } = this.state.view;
    return camera ? (camera[2] - seen) / (camera[2] - height) : 1;
  }

  toPicture([x, y], height) {
    const { camera } = this.state.view;
    if (!camera) return [x, y];
    const scale = this.scale(height);
    return [camera[0] + (x - camera[0]) * scale, camera[1] + (y - camera[1]) * scale];
  }

  toBoard([x, y], height) {
    const { camera } = this.state.view;
    if (!camera) return [x, y];
    const scale = this.scale(height);
    return [camera[0] + (x - camera[0]) / scale, camera[1] + (y - camera[1]) / scale];
  }

  faceHeight(disc) {
    return this.state.view.faces[disc.state] ?? 0;
  }

  pointOf(event) {
    const point = new DOMPoint(event.clientX, event.clientY);
    const { x, y } = point.matrixTransform(this.sheet.getScreenCTM().inverse());
    return [x, y];
  }

  // Drawing.

  choose(key, { reveal = true } = {}) {
    this.chosen = key;
    this.draw();
    if (this.sheet && key !== null && reveal) this.reveal();
  }

  draw() {
    for (const each of this.root.querySelectorAll("[data-when]")) each.hidden = each.dataset.when !== this.state.phase;
    const twins = this.find("[data-twins]");
    const doubled = this.state.twins.length ? fill(this.words.twins, { discs: this.state.twins.join(", ") }) : "";
    if (twins.textContent !== doubled) twins.textContent = doubled;
    twins.hidden = !doubled;
    if (this.sheet) this.drawMarks();
    this.drawForm();
    this.drawList();
    this.drawRepairs();
  }

  drawMarks() {
    const layer = this.find("[data-discs]");
    const keys = this.keys();
    for (const [key, mark] of this.marks) {
      if (!keys.includes(key)) {
        mark.remove();
        this.marks.delete(key);
      }
    }
    for (const key of keys) {
      if (!this.marks.has(key)) this.marks.set(key, this.makeMark(key, layer));
      this.placeMark(key);
    }
  }

  makeMark(key, layer) {
    const mark = svg("g", { "data-key": key }, layer);
    for (const kind of ["hit", "foot", "halo", "face", "badge"]) svg("circle", { class: kind }, mark);
    svg("text", {}, mark);
    svg("line", { class: "gap" }, mark);
    return mark;
  }

  placeMark(key) {
    const mark = this.marks.get(key);
    const disc = this.disc(key);
    const { radius } = this.state.view;
    const height = this.faceHeight(disc);
    const face = this.toPicture([disc.x, disc.y], height);
    const foot = this.toPicture([disc.x, disc.y], 0);
    const [hit, ground, halo, rim, badge] = mark.querySelectorAll("circle");
    const put = (circle, [cx, cy], r) => {
      for (const [name, value] of Object.entries({ cx, cy, r })) circle.setAttribute(name, value);
    };
    put(hit, face, radius * 1.3);
    put(ground, foot, radius * this.scale(0));
    for (const circle of [halo, rim]) put(circle, face, radius * this.scale(height));
    const at = [face[0] + radius * 0.9, face[1] - radius * 0.9];
    put(badge, at, radius * 0.48);
    badge.setAttribute("fill", disc.fill ?? "#888888");
    const text = mark.querySelector("text");
    text.textContent = disc.number ?? "?";
    for (const [name, value] of Object.entries({ x: at[0], y: at[1], "font-size": radius * 0.7, fill: disc.ink ?? "#ffffff" })) {
      text.setAttribute(name, value);
    }
    const gap = mark.querySelector(".gap");
    const [near, far] = disc.near ? [disc.near, disc.far].map((end) => this.toPicture(end, 0)) : [foot, foot];
    const ends = { x1: near[0], y1: near[1], x2: far[0], y2: far[1] };
    for (const [name, value] of Object.entries(ends)) gap.setAttribute(name, value);
    const mine = disc.mine && this.editable;
    const kinds = ["disc-mark", disc.kind, mine && "mine", this.pending.has(key) && "pending"];
    if (key === this.chosen) kinds.push("chosen");
    if (key === this.drag?.key) kinds.push("dragged");
    mark.setAttribute("class", kinds.filter(Boolean).join(" "));
    if (mine) mark.setAttribute("tabindex", "0");
    else mark.removeAttribute("tabindex");
    mark.setAttribute("role", mine ? "button" : "img");
    const unsaved = this.pending.has(key) ? `, ${this.words.unsaved}` : "";
    mark.setAttribute("aria-label", this.label(disc) + unsaved);
    if (mine) mark.setAttribute("aria-pressed", String(key === this.chosen));
    else mark.removeAttribute("aria-pressed");
  }

  drawForm() {
    const disc = this.disc(this.chosen);
    const edit = this.pending.get(this.chosen);
    const section = this.find("[data-edit]");
    section.hidden = !disc || !this.editable;
    const several = this.find("[data-save-all]");
    if (several) {
      several.hidden = this.pending.size < 2;
      several.textContent = fill(this.words.all, { count: this.pending.size });
    }
    if (section.hidden) return;
    this.find("[data-title]").textContent = capital(disc.name) + (edit ? ` (${this.words.unsaved})` : "");
    const verdict = this.find("[data-verdict]");
    const told = edit?.refusal || [disc.gap, ...disc.doubts].filter(Boolean).join(" · ");
    verdict.replaceChildren(html("strong", {}, edit?.refusal ? "" : disc.headline ?? ""), told && disc.headline ? ` · ${told}` : told);
    const state = FOLLOWS_FROM_THE_PLACE.includes(disc.state) ? "flat" : disc.state;
    const shown = { disc: this.chosen, of: this.state.of, color: disc.color, number: disc.number ?? "", state, x: +disc.x.toFixed(3), y: +disc.y.toFixed(3) };
    for (const [name, value] of Object.entries(shown)) {
      const field = this.fields[name];
      if (field && field !== document.activeElement && field.value !== String(value)) field.value = value;
    }
    const saved = this.saved(this.chosen);
    this.find("[data-check]").hidden = !saved || saved.placed;
    this.fields.checked.checked = Boolean(edit?.put.checked);
    this.find("[data-back]").hidden = !edit;
    this.find("[data-remove]").hidden = false;
    this.drawLoupe(disc);
  }

  drawLoupe(disc) {
    const loupe = this.find("[data-loupe]");
    loupe.toggleAttribute("hidden", !this.sheet);
    if (!this.sheet) return;
    const { radius } = this.state.view;
    const [x, y] = this.toPicture([disc.x, disc.y], this.faceHeight(disc));
    const half = radius * 2.2;
    loupe.setAttribute("viewBox", [x - half, y - half, 2 * half, 2 * half].join(" "));
  }

  drawList() {
    const list = this.find("[data-list]");
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const rows = this.keys().filter((key) => this.disc(key).mine).map((key) => this.row(key));
    list.replaceChildren(...rows);
    if (focused !== null) list.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  row(key) {
    const disc = this.disc(key);
    const link = html("a", { href: `?disc=${key}#edit`, "data-key": key });
    if (key === this.chosen) link.setAttribute("aria-current", "true");
    const chip = svg("svg", { class: "chip", viewBox: "0 0 40 40", "aria-hidden": "true" }, link);
    svg("circle", { cx: 20, cy: 20, r: 18.5, fill: disc.fill ?? "#888888" }, chip);
    svg("text", { x: 20, y: 21, fill: disc.ink ?? "#ffffff" }, chip).textContent = disc.number ?? "?";
    const words = html("span", {}, html("strong", {}, capital(disc.name)), ` ${disc.headline ?? ""}`);
    const more = [disc.gap, this.pending.has(key) ? this.words.unsaved : disc.repaired ? this.words.repaired : ""];
    if (more.some(Boolean)) words.append(html("br", {}), html("span", { class: "quiet" }, more.filter(Boolean).join(" · ")));
    for (const doubt of disc.doubts) words.append(html("br", {}), html("span", { class: "doubt" }, `? ${doubt}`));
    link.append(words);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.choose(key);
      this.marks.get(key)?.focus({ preventScroll: true });
    });
    return html("li", {}, link);
  }

  drawRepairs() {
    const list = this.find("[data-repairs]");
    const focused = list.contains(document.activeElement) ? document.activeElement.value : null;
    const rows = this.state.repairs.map((repair) => {
      const row = html("li", {}, html("span", {}, `${capital(repair.words)} `, html("span", { class: "quiet" }, repair.who)));
      if (repair.mine && this.editable) {
        const button = html("button", { type: "button", value: repair.seq, "aria-label": fill(this.words.undo_of, { what: repair.words }) }, this.words.undo);
        button.addEventListener("click", () => this.undo(repair.seq));
        row.append(button);
      }
      return row;
    });
    list.replaceChildren(...(rows.length ? rows : [html("li", { class: "quiet" }, this.words.none)]));
    if (focused !== null) list.querySelector(`button[value="${focused}"]`)?.focus();
  }

  setZoom(step) {
    this.zoom = Math.min(ZOOMS.length - 1, Math.max(0, this.zoom + step));
    const pane = this.find("[data-window]");
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
    const mark = this.marks.get(this.chosen);
    if (!mark || this.zoom === 0) return;
    const pane = this.find("[data-window]");
    const [seen, outer] = [mark.getBoundingClientRect(), pane.getBoundingClientRect()];
    pane.scrollLeft += (seen.left + seen.right) / 2 - (outer.left + outer.right) / 2;
    pane.scrollTop += (seen.top + seen.bottom) / 2 - (outer.top + outer.bottom) / 2;
  }

  // What people do.

  listen() {
    const key = () => this.chosen;
    const put = {
      color: (value) => ({ color: value }),
      number: (value) => ({ number: value ? Number(value) : null }),
      state: (value) => ({ state: value }),
      x: (value) => ({ x: Number(value) }),
      y: (value) => ({ y: Number(value) }),
    };
    for (const [name, of] of Object.entries(put)) {
      this.fields[name]?.addEventListener("input", ({ target }) => {
        if (target.value === "" && name !== "number") return;
        this.change(key(), of(target.value));
      });
    }
    this.fields.checked.addEventListener("change", ({ target }) => this.change(key(), { checked: target.checked }));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const act = { line: "ontoTheLine", remove: "remove" }[event.submitter?.value] ?? "save";
      this[act](key());
    });
    this.find("[data-back]").addEventListener("click", () => this.putBack(key()));
    document.addEventListener("keydown", (event) => {
      if (event.target.matches("input, select, textarea") || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
      const last = this.state.repairs.find((repair) => repair.mine);
      if (last && this.editable) this.undo(last.seq);
      event.preventDefault();
    });
  }

  putBack(key) {
    const name = capital(this.disc(key).name);
    this.drop(key);
    this.say(fill(this.words.back, { disc: name }));
    (this.marks.get(key) ?? this.find("[data-add]"))?.focus({ preventScroll: true });
  }

  listenToSheet() {
    const tools = this.find("[data-tools]");
    tools.hidden = false;
    for (const button of tools.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => this.setZoom(button.dataset.zoom === "in" ? 1 : -1));
    }
    this.find("[data-add]").addEventListener("click", () => this.editable && this.add(this.middle()));
    this.find("[data-save-all]").addEventListener("click", async () => {
      for (const key of [...this.pending.keys()]) if (!(await this.save(key))) return;
    });
    this.sheet.addEventListener("pointerdown", (event) => this.press(event));
    this.sheet.addEventListener("pointermove", (event) => this.pull(event));
    this.sheet.addEventListener("pointerup", (event) => this.release(event));
    this.sheet.addEventListener("pointercancel", () => this.letGo());
    this.sheet.addEventListener("click", (event) => this.tap(event));
    this.sheet.addEventListener("keydown", (event) => this.typed(event));
    this.sheet.addEventListener("focusin", (event) => {
      const key = event.target.closest("[data-key]")?.dataset.key;
      if (key !== undefined && key !== this.chosen) this.choose(key);
    });
    this.sheet.addEventListener("touchmove", (event) => this.drag && event.preventDefault(), { passive: false });
  }

  middle() {
    const pane = this.find("[data-window]").getBoundingClientRect();
    const [top, bottom] = [Math.max(pane.top, 0), Math.min(pane.bottom, innerHeight)];
    const point = this.pointOf({ clientX: (pane.left + pane.right) / 2, clientY: (top + Math.max(bottom, top + 40)) / 2 });
    const [left, up, width, height] = this.state.view.box;
    const within = (value, from, size) => Math.min(from + size * 0.9, Math.max(from + size * 0.1, value));
    return this.toBoard([within(point[0], left, width), within(point[1], up, height)], this.state.view.faces.flat);
  }

  press(event) {
    if (this.drag) {
      this.letGo(); // a second finger: it is a pinch
      return;
    }
    const mark = event.target.closest(".disc-mark.mine");
    if (!mark || event.button) return;
    const { key } = mark.dataset;
    const disc = this.disc(key);
    const face = this.toPicture([disc.x, disc.y], this.faceHeight(disc));
    const from = this.pointOf(event);
    const before = this.pending.get(key);
    this.drag = {
      key,
      pointer: event.pointerId,
      start: [event.clientX, event.clientY],
      held: [face[0] - from[0], face[1] - from[1]],
      moved: false,
      before: before ? { ...before.put } : null,
    };
    if (this.chosen !== key) this.choose(key, { reveal: false }); // it is under the finger
    mark.focus({ preventScroll: true });
    this.sheet.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  pull(event) {
    const drag = this.drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.start[0], event.clientY - drag.start[1]) < DRAG_PX) return;
    drag.moved = true;
    const [x, y] = this.pointOf(event);
    const at = this.toBoard([x + drag.held[0], y + drag.held[1]], this.faceHeight(this.disc(drag.key)));
    this.change(drag.key, { x: at[0], y: at[1], checked: false });
  }

  release(event) {
    if (!this.drag || event.pointerId !== this.drag.pointer) return;
    this.dragged = this.drag.moved; // the click that follows is none
    const { key } = this.drag;
    const edit = this.pending.get(key);
    if (edit) edit.floating = false;
    this.drag = null;
    this.draw();
  }

  letGo() {
    if (!this.drag) return;
    const { key, before, moved } = this.drag;
    this.drag = null;
    if (!moved) return;
    if (before) this.change(key, before);
    else this.drop(key);
  }

  tap(event) {
    const dragged = this.dragged;
    this.dragged = false;
    if (dragged || event.target.closest(".disc-mark")) return;
    const edit = this.pending.get(this.chosen);
    if (!edit?.floating) return;
    const [x, y] = this.toBoard(this.pointOf(event), this.faceHeight(edit.put));
    this.change(this.chosen, { x, y });
  }

  typed(event) {
    const key = event.target.closest("[data-key]")?.dataset.key;
    if (key === undefined || !this.disc(key)?.mine || !this.editable) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const step = event.shiftKey ? FINE_MM : STEP_MM;
      const { x, y } = this.disc(key);
      this.change(key, { x: x + arrow[0] * step, y: y + arrow[1] * step, checked: false });
    } else if (event.key === "Enter" && this.pending.has(key)) this.save(key);
    else if (event.key === "Escape" && this.pending.has(key)) this.putBack(key);
    else if (event.key === "Delete" || event.key === "Backspace") this.remove(key);
    else return;
    event.preventDefault();
  }
}

const root = document.querySelector("[data-repair]");
if (root) new Repair(root);
