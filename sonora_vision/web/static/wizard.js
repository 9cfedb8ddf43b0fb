"use strict";

// The calibration pages: sending pictures, the live light, and correcting what was found.
// Answers live on the server; this file draws what it is told and sends one edit at a time.

// Every text comes with the page, in its language; values go where braces are.
const words = JSON.parse(document.body.dataset.words ?? "{}");
const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

for (const form of document.querySelectorAll("[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    if (!confirm(form.dataset.confirm)) event.preventDefault();
  });
}

for (const form of document.querySelectorAll("[data-drop], [data-busy]")) {
  const input = form.querySelector("input[type=file]");
  const sending = form.querySelector("[data-sending]");
  const button = form.querySelector("button");
  if (input) {
    form.addEventListener("dragover", (event) => {
      event.preventDefault();
      form.classList.add("over");
    });
    form.addEventListener("dragleave", () => form.classList.remove("over"));
    form.addEventListener("drop", (event) => {
      event.preventDefault();
      form.classList.remove("over");
      if (!event.dataTransfer.files.length) return;
      input.files = event.dataTransfer.files;
      form.requestSubmit();
    });
  }
  form.addEventListener("submit", () => {
    sending.textContent = form.dataset.busy || say("sending");
    button.disabled = true;
  });
  window.addEventListener("pageshow", () => {
    sending.textContent = "";
    button.disabled = false;
  });
}

// Where the wizard is one of a table's pages, its posts bear the token that the page came with.
const token = document.querySelector("meta[name=csrf-token]")?.content ?? "";

const SVG = "http://www.w3.org/2000/svg";
const svg = (name, attributes = {}, parent = null) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
};
const html = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
};

const live = document.querySelector("[data-live]");
if (live) {
  const picture = live.querySelector("img");
  const lights = live.querySelector(".lights");
  const line = live.querySelector("[data-words]");
  const source = picture.src;
  let before = "";
  const look = async () => {
    picture.src = `${source}?at=${Date.now()}`;
    try {
      const status = await (await fetch(live.dataset.live, { cache: "no-store" })).json();
      const told = JSON.stringify(status);
      if (told !== before) {
        before = told;
        if (line) line.textContent = status.fault || status.words;
        if (status.taken) location.reload();
        if (lights) {
          const rows = (status.checks || [{ light: "bad", name: say("camera"), words: status.fault }]).map(
            (check) => html("li", { class: `light ${check.light}` }, `${check.name}: ${check.words}`),
          );
          lights.replaceChildren(...rows);
        }
      }
    } catch {
      if (line) line.textContent = say("again");
    }
    setTimeout(look, 700);
  };
  look();
}

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
    // A row that is drawn anew between press and release would swallow the click.
    root.addEventListener("pointerdown", (event) => {
      this.pressing = event.target.closest("[data-row]") !== null;
    });
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => setTimeout(() => this.release()));
    this.cross = this.view.size.map((side) => side / 2);
    const [width, height] = this.view.size;
    this.sheet.setAttribute("viewBox", `0 0 ${width} ${height}`);
    for (const parent of [this.sheet, this.magnifier]) {
      svg("image", { href: root.dataset.picture, width, height }, parent);
    }
    this.overlay = svg("g", {}, this.sheet);
    this.lens = svg("g", {}, this.magnifier);
    this.find("[data-undo]").addEventListener("click", () => this.send({ do: "undo" }));
    for (const button of root.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => this.setZoom(button.dataset.zoom === "in" ? 1 : -1));
    }
    for (const radio of root.querySelectorAll("[name=tool]")) {
      radio.addEventListener("change", () => this.setTool());
    }
    this.sheet.addEventListener("click", (event) => this.tapped(event));
    this.sheet.addEventListener("keydown", (event) => this.keyOnSheet(event));
    document.addEventListener("keydown", (event) => {
      const typing = event.target.matches("input, select, textarea");
      if ((event.ctrlKey || event.metaKey) && event.key === "z" && !typing) {
        event.preventDefault();
        this.send({ do: "undo" });
      }
    });
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
    const point = new DOMPoint(event.clientX, event.clientY);
    const { x, y } = point.matrixTransform(this.sheet.getScreenCTM().inverse());
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

  handle(key, at, label, { move, remove = null, choose = null, text = "" }) {
    const group = svg(
      "g",
      { class: "handle", tabindex: 0, role: "button", "aria-label": label, "data-key": key },
      this.overlay,
    );
    const unit = this.scale;
    const place = ([x, y]) => group.setAttribute("transform", `translate(${x} ${y})`);
    svg("circle", { class: "hit", r: Math.min(22 * unit, 34) }, group);
    svg("circle", { class: "dot", r: 6 * unit }, group);
    if (text) svg("text", { "font-size": this.letters, "stroke-width": this.letters / 4, y: -14 * unit }, group).textContent = text;
    place(at);
    if (this.chosen && key === this.chosen) group.classList.add("on");
    let now = at;
    let timer = 0;
    let dragged = false;
    group.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      group.focus();
      group.setPointerCapture(event.pointerId);
      dragged = false;
      const from = [event.clientX, event.clientY];
      const drag = (moved) => {
        if (Math.hypot(moved.clientX - from[0], moved.clientY - from[1]) > 3) dragged = true;
        if (!dragged) return;
        now = this.place(moved);
        place(now);
        this.magnify(now);
      };
      const drop = () => {
        group.removeEventListener("pointermove", drag);
        this.magnify(null);
        if (dragged) this.send(move(now));
        else if (choose) choose();
      };
      group.addEventListener("pointermove", drag);
      group.addEventListener("pointerup", drop, { once: true });
      group.addEventListener("pointercancel", drop, { once: true });
    });
    group.addEventListener("click", (event) => event.stopPropagation());
    group.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (step) {
        event.preventDefault();
        event.stopPropagation();
        const size = event.shiftKey ? 10 : 1;
        now = [now[0] + step[0] * size, now[1] + step[1] * size];
        place(now);
        this.magnify(now);
        clearTimeout(timer);
        timer = setTimeout(() => this.send(move(now)), 500);
      } else if ((event.key === "Delete" || event.key === "Backspace") && remove) {
        event.preventDefault();
        event.stopPropagation();
        this.send(remove);
      } else if ((event.key === "Enter" || event.key === " ") && choose) {
        event.preventDefault();
        event.stopPropagation();
        choose();
      }
    });
    group.addEventListener("blur", () => this.magnify(null));
    return group;
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
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      event.preventDefault();
      const size = event.shiftKey ? 1 : 10;
      this.cross = [this.cross[0] + step[0] * size, this.cross[1] + step[1] * size];
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
}

// A piece of the picture, to compare a row with what it is about.
const piece = (editor, [x, y], reach) => {
  const [width, height] = editor.view.size;
  const made = svg("svg", { class: "piece", viewBox: `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`, "aria-hidden": "true" });
  svg("image", { href: editor.root.dataset.picture, width, height }, made);
  return made;
};
const field = (label, value, key, send, { list = null, mode = null, width = null } = {}) =>
  html("input", {
    "aria-label": label,
    placeholder: label.split(",")[0],
    value: value ?? "",
    "data-key": key,
    list,
    inputmode: mode,
    maxlength: 40,
    size: width ?? 8,
    autocomplete: "off",
    onchange: (event) => send(event.target.value),
  });
// Areas go by letters, circles and borders by numbers.
const letter = (index) => (index < 26 ? "" : letter(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));
const choice = (label, value, key, options, send) =>
  html(
    "select",
    { "aria-label": label, "data-key": key, onchange: (event) => send(event.target.value) },
    ...options.map(([name, words]) => html("option", { value: name, selected: name === value }, words)),
  );
const pressed = (words, label, key, act) => html("button", { type: "button", "aria-label": label, "data-key": key, onclick: act }, words);

class BoardEditor extends Editor {
  hints = {
    move: say("hint_board_move"),
    circle: say("hint_circle"),
    border: say("hint_border"),
    outline: say("hint_outline"),
  };

  constructor(root) {
    super(root);
    this.sections = JSON.parse(root.dataset.sections);
    this.animals = JSON.parse(root.dataset.animals);
    this.find("[data-finish]").addEventListener("click", () => this.finish());
    this.find("[data-turn]").addEventListener("click", () => this.send({ do: "turn_corners" }));
    this.find("[data-propose]").addEventListener("click", () => this.send({ do: "propose" }));
    this.find("[data-length]").addEventListener("submit", (event) => {
      event.preventDefault();
      this.send({ do: "set_length", mm: event.target.mm.value });
    });
    this.find("[data-rule]").addEventListener("submit", (event) => {
      event.preventDefault();
      const { name, rule, depth } = event.target.elements;
      this.send({ do: "set_rule", name: name.value, rule: rule.value, depth: depth.value });
    });
    this.setTool();
  }

  add(point) {
    this.pending.push(point);
    if (this.tool === "circle" && this.pending.length === 2) this.finish();
    else this.draw();
  }

  async finish() {
    const points = this.pending;
    const edit = {
      circle: { do: "add_circle", center: points[0], rim: points[1] },
      border: { do: "add_border", points },
      outline: { do: "set_corners", points },
    }[this.tool];
    this.pending = [];
    if (edit) await this.send(edit);
  }

  drawAll() {
    const view = this.view;
    this.find("[data-finish]").hidden = this.tool === "move" || this.tool === "circle";
    view.areas.forEach((area, i) => {
      const shape = this.line(area.points, `area${this.chosen === `area-${i}` ? " on" : ""}`, true);
      shape.addEventListener("click", () => {
        if (this.tool === "move") this.openRow(`area-${i}`);
      });
    });
    if (view.outline.length) this.line(view.outline, "outline", true);
    view.borders.forEach((border) => this.line(border, "border"));
    view.circles.forEach((circle) => this.line(circle.ring, `ring ${circle.role}`, true));
    view.areas.forEach((area, i) => {
      const [x, y] = area.at;
      const name = area.role === "launch" ? say("raised") : area.section;
      const size = this.letters;
      const text = svg("text", { x, y, "font-size": size, "stroke-width": size / 4 }, this.overlay);
      text.textContent = name ? `${letter(i)} ${name}` : letter(i);
    });
    if (this.tool === "move") this.drawHandles();
    this.rows();
    this.figures();
  }

  drawHandles() {
    const view = this.view;
    view.corners.forEach((corner, index) =>
      this.handle(`corner-${index}`, corner, say("corner", { number: index + 1 }), {
        move: (to) => ({ do: "move_corner", index, to }),
        text: `C${index + 1}`,
      }),
    );
    view.circles.forEach((circle, index) => {
      const name = say(circle.animal ? "circle_of" : "circle", { number: index + 1, animal: circle.animal });
      const remove = { do: "delete_circle", index };
      this.handle(`circle-${index}`, circle.center, name, {
        move: (to) => ({ do: "move_circle", index, part: "center", to }),
        remove,
        choose: () => this.openRow(`circle-${index}`),
        text: circle.role === "multiplier" && this.sheet.clientWidth >= 560 ? `${index + 1} ${circle.animal}`.trim() : `${index + 1}`,
      });
      if (this.chosen === `circle-${index}`) {
        this.handle(`rim-${index}`, circle.rim, say("rim", { number: index + 1 }), {
          move: (to) => ({ do: "move_circle", index, part: "rim", to }),
          remove,
        });
      }
    });
    const open = /^border-(\d+)$/.exec(this.chosen);
    if (open && view.borders[open[1]]) {
      const index = Number(open[1]);
      view.borders[index].forEach((at, point) =>
        this.handle(`border-${index}-${point}`, at, say("border_point", { number: index + 1, point: point + 1 }), {
          move: (to) => ({ do: "move_border", index, point, to }),
        }),
      );
    }
  }

  openRow(key) {
    this.chosen = key;
    this.draw();
    const row = this.find(`[data-row="${key}"]`);
    if (!row) return;
    row.scrollIntoView({ block: "nearest" });
    const first = row.querySelector("input, select");
    if (first) first.focus({ preventScroll: true });
  }

  row(key, number, ...fields) {
    return html("li", { "data-row": key, class: this.chosen === key ? "on" : null, onfocusin: () => this.mark(key) }, html("strong", {}, `${number}`), ...fields);
  }

  mark(key) {
    if (this.chosen === key) return;
    this.choose(key);
  }

  rows() {
    const view = this.view;
    const lowest = view.rule === "lowest";
    const value = (key, now, send) => (lowest ? [field(say("value"), now, key, send, { mode: "numeric", width: 4 })] : []);
    const areas = view.areas.map((area, i) => {
      const key = `area-${i}`;
      const raised = view.areas.find((each) => each.role === "launch");
      const height = area.role === "launch" || !raised ? area.height : raised.height;
      const now = { role: area.role ?? "zone", section: area.section, value: area.value, height };
      const set = (change) => {
        const label = { ...now, ...change };
        if (label.role === "zone" && !label.section) {
          this.view.areas[i].role = label.role;
          this.draw();
          return;
        }
        this.send({ do: "label_area", at: area.at, instead: area.label, ...label });
      };
      const fields = [
        choice(say("area_is", { letter: letter(i) }), now.role, `${key}-role`, [["zone", say("a_zone")], ["launch", say("raised")], ["none", say("nothing")]], (role) => set({ role })),
      ];
      if (now.role === "zone") {
        fields.push(field(say("area_section", { letter: letter(i) }), now.section, `${key}-section`, (section) => set({ section }), { list: "sections" }));
        fields.push(...value(`${key}-value`, now.value, (to) => set({ value: to })));
      } else if (now.role === "launch") {
        fields.push(field(say("area_height", { letter: letter(i) }), now.height, `${key}-height`, (height) => set({ height }), { mode: "decimal" }));
      }
      return this.row(key, letter(i), ...fields);
    });
    this.find("[data-areas]").replaceChildren(...areas);
    const circles = view.circles.map((circle, index) => {
      const key = `circle-${index}`;
      const set = (change) => {
        const { role, section, animal } = circle;
        this.send({ do: "label_circle", index, role, section, animal, value: circle.value, ...change });
      };
      const fields = [
        choice(say("circle_is", { number: index + 1 }), circle.role, `${key}-role`, [["multiplier", say("multiplier")], ["hole", say("the_hole")], ["zone", say("a_zone")], ["none", say("nothing")]], (role) => set({ role })),
      ];
      if (circle.role === "multiplier") {
        fields.push(field(say("circle_animal", { number: index + 1 }), circle.animal, `${key}-animal`, (animal) => set({ animal, section: circle.section || this.sectionOf(animal) }), { list: "animals" }));
      }
      if (circle.role === "multiplier" || circle.role === "zone") {
        fields.push(field(say("circle_section", { number: index + 1 }), circle.section, `${key}-section`, (section) => set({ section }), { list: "sections" }));
        fields.push(...value(`${key}-value`, circle.value, (to) => set({ value: to })));
      }
      fields.push(pressed(say("delete"), say("delete_circle", { number: index + 1 }), `${key}-delete`, () => this.send({ do: "delete_circle", index })));
      const [x, y] = circle.center;
      const reach = 1.3 * Math.max(...circle.ring.map((at) => Math.hypot(at[0] - x, at[1] - y)));
      return this.row(key, index + 1, piece(this, circle.center, reach), ...fields);
    });
    this.find("[data-circles]").replaceChildren(...circles);
    const borders = view.borders.map((border, index) => {
      const key = `border-${index}`;
      return this.row(
        key,
        index + 1,
        pressed(say("show_points"), say("show_border", { number: index + 1 }), `${key}-show`, () => this.choose(key)),
        pressed(say("delete"), say("delete_border", { number: index + 1 }), `${key}-delete`, () => this.send({ do: "delete_border", index })),
      );
    });
    this.find("[data-borders]").replaceChildren(...borders);
    this.suggest("sections", [...this.sections, ...[...view.areas, ...view.circles].map((each) => each.section)]);
    this.suggest("animals", [...Object.keys(this.animals), ...view.circles.map((each) => each.animal)]);
  }

  // A circle of an animal that has a section already counts for the same one.
  sectionOf(animal) {
    const name = animal.trim().toLowerCase();
    const same = this.view.circles.find((each) => each.animal === name && each.section);
    return same ? same.section : (this.animals[name] ?? "");
  }

  suggest(id, names) {
    const known = [...new Set(names)].filter(Boolean).sort();
    document.getElementById(id).replaceChildren(...known.map((name) => html("option", { value: name })));
  }

  figures() {
    const view = this.view;
    const fill = (id, value) => {
      const input = document.getElementById(id);
      if (document.activeElement !== input) input.value = value ?? "";
    };
    fill("side", view.first_side_mm);
    fill("name", view.name);
    fill("rule", view.rule);
    fill("depth", view.hole_depth_mm);
    const count = view.sides_mm.length;
    const sides = view.sides_mm.map((side, i) => say("side", { one: i + 1, other: ((i + 1) % count) + 1, mm: side }));
    this.find("[data-sides]").textContent = sides.length ? say("sides", { sides: sides.join(", ") }) : "";
    document.querySelector("[data-todo]").textContent = view.todo ? say("board_todo", { what: view.todo }) : say("board_done");
  }
}

class DiscsEditor extends Editor {
  hints = {
    move: say("hint_discs_move"),
    disc: say("hint_disc"),
  };

  constructor(root) {
    super(root);
    this.find("[data-sizes]").addEventListener("submit", (event) => {
      event.preventDefault();
      const { diameter, height } = event.target.elements;
      this.send({ do: "set_sizes", diameter: diameter.value, height: height.value });
    });
    this.setTool();
  }

  add(to) {
    const { numbers, discs, colors } = this.view;
    // The likeliest: of the first color that lacks a number, that number.
    const has = (color, number) => discs.some((disc) => disc.color === color && disc.number === number);
    let color = colors.length ? colors[0].name : say("first_color");
    let number = numbers.length ? numbers[0] : null;
    for (const each of colors) {
      const lacking = numbers.find((n) => !has(each.name, n));
      if (lacking !== undefined) {
        [color, number] = [each.name, lacking];
        break;
      }
    }
    this.send({ do: "add_disc", to, color, number });
  }

  drawAll() {
    const unit = this.scale;
    this.view.discs.forEach((disc, index) => {
      const name = `${disc.color} ${disc.number ?? ""}`.trim();
      const mark = this.handle(`disc-${index}`, disc.px, name, {
        move: (to) => ({ do: "move_disc", index, to }),
        remove: { do: "delete_disc", index },
        choose: () => this.openRow(index),
      });
      const dot = mark.querySelector(".dot");
      const radius = Math.max(this.view.radius_px, 5 * unit);
      dot.setAttribute("r", radius);
      dot.style.stroke = disc.fill;
      if (disc.number !== null) {
        const aside = 0.75 * radius + 4 * unit;
        svg("text", { x: aside, y: -aside, "font-size": this.letters, "stroke-width": this.letters / 4 }, mark).textContent = disc.number;
      }
    });
    this.groups();
    this.figures();
  }

  openRow(index) {
    this.choose(`disc-${index}`);
    const row = this.find(`[data-row="disc-${index}"]`);
    row.scrollIntoView({ block: "nearest" });
    row.querySelector("input, select").focus({ preventScroll: true });
  }

  newColor() {
    const taken = this.view.colors.map((each) => each.name);
    let name = say("new_color");
    for (let count = 2; taken.includes(name); count += 1) name = `${say("new_color")} ${count}`;
    return name;
  }

  groups() {
    const { colors, discs, numbers } = this.view;
    const made = colors.map(({ name, fill }) => {
      const chip = svg("svg", { class: "chip", viewBox: "0 0 40 40", "aria-hidden": "true" });
      svg("circle", { cx: 20, cy: 20, r: 18.5, fill }, chip);
      const rename = field(say("color_name", { name }), name, `color-${name}`, (to) => this.send({ do: "rename_color", from: name, to }));
      const rows = discs
        .map((disc, index) => [disc, index])
        .filter(([disc]) => disc.color === name)
        .sort(([a], [b]) => (a.number ?? 0) - (b.number ?? 0))
        .map(([disc, index]) => {
          const key = `disc-${index}`;
          const set = (change) => this.send({ do: "set_disc", index, color: disc.color, number: disc.number, ...change });
          const names = [...colors.map((each) => [each.name, each.name]), [this.newColor(), say("another_color")]];
          const fields = [piece(this, disc.px, 1.25 * Math.max(this.view.radius_px, 8)), choice(say("disc_color", { number: index + 1 }), disc.color, `${key}-color`, names, (color) => set({ color }))];
          if (numbers.length) {
            fields.push(choice(say("disc_number", { number: index + 1 }), String(disc.number), `${key}-number`, numbers.map((n) => [String(n), String(n)]), (number) => set({ number })));
          }
          fields.push(pressed(say("delete"), say("delete_disc", { disc: `${name} ${disc.number ?? ""}`.trim() }), `${key}-delete`, () => this.send({ do: "delete_disc", index })));
          return html("li", { "data-row": key, class: this.chosen === key ? "on" : null }, ...fields);
        });
      return html("div", { class: "group-of" }, html("div", { class: "who" }, chip, rename, html("span", {}, say(rows.length === 1 ? "count_one" : "count_many", { count: rows.length }))), html("ul", { class: "rows" }, ...rows));
    });
    this.find("[data-colors]").replaceChildren(...made);
  }

  figures() {
    const fill = (id, value) => {
      const input = document.getElementById(id);
      if (document.activeElement !== input) input.value = value ?? "";
    };
    fill("diameter", this.view.diameter_mm);
    fill("high", this.view.height_mm);
    const missing = this.view.missing;
    document.querySelector("[data-todo]").textContent = missing.length ? say("todo", { what: missing.join("; ") }) : say("discs_done");
  }
}

for (const root of document.querySelectorAll("[data-board]")) window.editor = new BoardEditor(root);
for (const root of document.querySelectorAll("[data-discs]")) window.editor = new DiscsEditor(root);
