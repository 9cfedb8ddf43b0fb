"use strict";

// The discs: where each lies, and its color and number.

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
      const edit = { do: "set_sizes", height: height.value };
      // What nobody typed stays the picture's, and follows the board's length.
      if (diameter.value !== String(this.view.diameter_mm)) edit.diameter = diameter.value;
      this.send(edit);
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
        remove: { do: "delete_disc", index, was: disc.px },
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
    this.find("[data-colors]").replaceChildren(...this.view.colors.map((color) => this.group(color)));
  }

  group({ name, fill: paint }) {
    const chip = svg("svg", { class: "chip", viewBox: "0 0 40 40", "aria-hidden": "true" });
    svg("circle", { cx: 20, cy: 20, r: 18.5, fill: paint }, chip);
    const rename = field(say("color_name", { name }), name, `color-${name}`, (to) => this.send({ do: "rename_color", from: name, to }));
    const rows = this.view.discs
      .map((disc, index) => [disc, index])
      .filter(([disc]) => disc.color === name)
      .sort(([a], [b]) => (a.number ?? 0) - (b.number ?? 0))
      .map(([disc, index]) => this.row(disc, index));
    const count = html("span", {}, say(rows.length === 1 ? "count_one" : "count_many", { count: rows.length }));
    return html("div", { class: "group-of" }, html("div", { class: "who" }, chip, rename, count), html("ul", { class: "rows" }, ...rows));
  }

  row(disc, index) {
    const { colors, numbers } = this.view;
    const key = `disc-${index}`;
    const which = { number: index + 1 };
    const set = (change) => this.send({ do: "set_disc", index, color: disc.color, number: disc.number, ...change });
    const names = [...colors.map((each) => [each.name, each.name]), [this.newColor(), say("another_color")]];
    const fields = [
      piece(this, disc.px, 1.25 * Math.max(this.view.radius_px, 8)),
      choice(say("disc_color", which), disc.color, `${key}-color`, names, (color) => set({ color })),
    ];
    if (numbers.length) {
      const options = numbers.map((n) => [String(n), String(n)]);
      fields.push(choice(say("disc_number", which), String(disc.number), `${key}-number`, options, (number) => set({ number })));
    }
    const what = { disc: `${disc.color} ${disc.number ?? ""}`.trim() };
    fields.push(pressed(say("delete"), say("delete_disc", what), `${key}-delete`, () => this.send({ do: "delete_disc", index, was: disc.px })));
    return html("li", { "data-row": key, class: this.chosen === key ? "on" : null }, ...fields);
  }

  figures() {
    this.show("diameter", this.view.diameter_mm);
    this.show("high", this.view.height_mm);
    const { missing } = this.view;
    this.todo(missing.length ? say("todo", { what: missing.join("; ") }) : say("discs_done"));
  }
}
