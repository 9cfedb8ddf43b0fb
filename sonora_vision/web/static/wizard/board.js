"use strict";

// The board: its outline, borders and circles on the picture, and what each area is called.

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
      const remove = { do: "delete_circle", index, was: circle.center };
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
    const { areas, circles, borders } = this.view;
    this.find("[data-areas]").replaceChildren(...areas.map((area, i) => this.areaRow(area, i)));
    this.find("[data-circles]").replaceChildren(...circles.map((circle, i) => this.circleRow(circle, i)));
    this.find("[data-borders]").replaceChildren(...borders.map((border, i) => this.borderRow(border, i)));
    this.suggest("sections", [...this.sections, ...[...areas, ...circles].map((each) => each.section)]);
    this.suggest("animals", [...Object.keys(this.animals), ...circles.map((each) => each.animal)]);
  }

  // What a place is worth, on boards where places have values.
  valueField(key, now, send) {
    return this.view.rule === "lowest" ? [field(say("value"), now, key, send, { mode: "numeric", width: 4 })] : [];
  }

  areaRow(area, i) {
    const key = `area-${i}`;
    const name = { letter: letter(i) };
    const raised = this.view.areas.find((each) => each.role === "launch");
    const height = area.role === "launch" || !raised ? area.height : raised.height;
    const now = { role: area.role ?? "zone", section: area.section, value: area.value, height };
    const set = (change) => {
      const label = { ...now, ...change };
      if (label.role === "zone" && !label.section) {
        this.view.areas[i].role = label.role; // told once the section is known too
        this.draw();
        return;
      }
      this.send({ do: "label_area", at: area.at, instead: area.label, ...label });
    };
    const roles = [["zone", say("a_zone")], ["launch", say("raised")], ["none", say("nothing")]];
    const fields = [choice(say("area_is", name), now.role, `${key}-role`, roles, (role) => set({ role }))];
    if (now.role === "zone") {
      fields.push(field(say("area_section", name), now.section, `${key}-section`, (section) => set({ section }), { list: "sections" }));
      fields.push(...this.valueField(`${key}-value`, now.value, (value) => set({ value })));
    } else if (now.role === "launch") {
      fields.push(field(say("area_height", name), now.height, `${key}-height`, (to) => set({ height: to }), { mode: "decimal" }));
    }
    return this.row(key, name.letter, ...fields);
  }

  circleRow(circle, index) {
    const key = `circle-${index}`;
    const name = { number: index + 1 };
    const { role, section, animal, value } = circle;
    const set = (change) => this.send({ do: "label_circle", index, role, section, animal, value, ...change });
    const roles = [["multiplier", say("multiplier")], ["hole", say("the_hole")], ["zone", say("a_zone")], ["none", say("nothing")]];
    const fields = [choice(say("circle_is", name), role, `${key}-role`, roles, (to) => set({ role: to }))];
    if (role === "multiplier") {
      const rename = (to) => set({ animal: to, section: section || this.sectionOf(to) });
      fields.push(field(say("circle_animal", name), animal, `${key}-animal`, rename, { list: "animals" }));
    }
    if (role === "multiplier" || role === "zone") {
      fields.push(field(say("circle_section", name), section, `${key}-section`, (to) => set({ section: to }), { list: "sections" }));
      fields.push(...this.valueField(`${key}-value`, value, (to) => set({ value: to })));
    }
    fields.push(pressed(say("delete"), say("delete_circle", name), `${key}-delete`, () => this.send({ do: "delete_circle", index, was: circle.center })));
    const [x, y] = circle.center;
    const reach = 1.3 * Math.max(...circle.ring.map((at) => Math.hypot(at[0] - x, at[1] - y)));
    return this.row(key, name.number, piece(this, circle.center, reach), ...fields);
  }

  borderRow(border, index) {
    const key = `border-${index}`;
    const name = { number: index + 1 };
    return this.row(
      key,
      name.number,
      pressed(say("show_points"), say("show_border", name), `${key}-show`, () => this.choose(key)),
      pressed(say("delete"), say("delete_border", name), `${key}-delete`, () => this.send({ do: "delete_border", index, was: border[0] })),
    );
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
    this.show("side", view.first_side_mm);
    this.show("name", view.name);
    this.show("rule", view.rule);
    this.show("depth", view.hole_depth_mm);
    const count = view.sides_mm.length;
    const sides = view.sides_mm.map((side, i) => say("side", { one: i + 1, other: ((i + 1) % count) + 1, mm: side }));
    this.find("[data-sides]").textContent = sides.length ? say("sides", { sides: sides.join(", ") }) : "";
    this.todo(view.todo ? say("board_todo", { what: view.todo }) : say("board_done"));
  }
}
