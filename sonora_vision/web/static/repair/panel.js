"use strict";

// Beside the picture: the chosen disc's form, the list of discs, and what was put right.

class Panel {
  constructor(repair) {
    this.repair = repair;
    this.drafts = repair.drafts;
    this.words = repair.words;
    this.form = repair.find("form");
    this.fields = this.form.elements;
    this.listen();
  }

  find(selector) {
    return this.repair.find(selector);
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
      const disc = this.drafts.disc(this.repair.chosen);
      if (disc) this.find("[data-said]").textContent = this.repair.label(disc);
    }, 400);
  }

  // Drawing.

  draw() {
    const { phase, twins } = this.drafts.state;
    for (const each of this.repair.root.querySelectorAll("[data-when]")) each.hidden = each.dataset.when !== phase;
    const place = this.find("[data-twins]");
    const doubled = twins.length ? fill(this.words.twins, { discs: twins.join(", ") }) : "";
    if (place.textContent !== doubled) place.textContent = doubled;
    place.hidden = !doubled;
    this.drawForm();
    this.drawList();
    this.drawRepairs();
  }

  drawForm() {
    const { chosen, picture } = this.repair;
    const disc = this.drafts.disc(chosen);
    const edit = this.drafts.edit(chosen);
    const section = this.find("[data-edit]");
    section.hidden = !disc || !this.drafts.editable;
    const several = this.find("[data-save-all]");
    if (several) {
      several.hidden = this.drafts.pending.size < 2;
      several.textContent = fill(this.words.all, { count: this.drafts.pending.size });
    }
    if (section.hidden) return;
    this.find("[data-title]").textContent = capital(disc.name) + (edit ? ` (${this.words.unsaved})` : "");
    const verdict = this.find("[data-verdict]");
    const told = edit?.refusal || [disc.gap, ...disc.doubts].filter(Boolean).join(" · ");
    verdict.replaceChildren(html("strong", {}, edit?.refusal ? "" : disc.headline ?? ""), told && disc.headline ? ` · ${told}` : told);
    this.fillFields(disc);
    const saved = this.drafts.saved(chosen);
    this.find("[data-check]").hidden = !saved || saved.placed;
    this.fields.checked.checked = Boolean(edit?.put.checked);
    this.find("[data-back]").hidden = !edit;
    this.find("[data-remove]").hidden = false;
    const loupe = this.find("[data-loupe]");
    loupe.toggleAttribute("hidden", !picture);
    picture?.drawLoupe(loupe, disc);
  }

  fillFields(disc) {
    const { color, number, state, x, y } = disc;
    const shown = {
      disc: this.repair.chosen,
      of: this.drafts.state.of,
      color,
      number: number ?? "",
      state: stateToSay(state),
      x: +x.toFixed(3),
      y: +y.toFixed(3),
    };
    for (const [name, value] of Object.entries(shown)) {
      const field = this.fields[name];
      if (field && field !== document.activeElement && field.value !== String(value)) field.value = value;
    }
  }

  drawList() {
    const list = this.find("[data-list]");
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const rows = this.drafts.keys().filter((key) => this.drafts.disc(key).mine).map((key) => this.row(key));
    list.replaceChildren(...rows);
    if (focused !== null) list.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  row(key) {
    const disc = this.drafts.disc(key);
    const link = html("a", { href: `?disc=${key}#edit`, "data-key": key });
    if (key === this.repair.chosen) link.setAttribute("aria-current", "true");
    const chip = svg("svg", { class: "chip", viewBox: "0 0 40 40", "aria-hidden": "true" }, link);
    svg("circle", { cx: 20, cy: 20, r: 18.5, fill: disc.fill ?? "#888888" }, chip);
    svg("text", { x: 20, y: 21, fill: disc.ink ?? "#ffffff" }, chip).textContent = disc.number ?? "?";
    const words = html("span", {}, html("strong", {}, capital(disc.name)), ` ${disc.headline ?? ""}`);
    const more = [disc.gap, this.drafts.edit(key) ? this.words.unsaved : disc.repaired ? this.words.repaired : ""];
    if (more.some(Boolean)) words.append(html("br"), html("span", { class: "quiet" }, more.filter(Boolean).join(" · ")));
    for (const doubt of disc.doubts) words.append(html("br"), html("span", { class: "doubt" }, `? ${doubt}`));
    link.append(words);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.repair.choose(key);
      this.repair.picture?.focus(key);
    });
    return html("li", {}, link);
  }

  drawRepairs() {
    const list = this.find("[data-repairs]");
    const focused = list.contains(document.activeElement) ? document.activeElement.value : null;
    const rows = this.drafts.state.repairs.map((repair) => {
      const row = html("li", {}, html("span", {}, `${capital(repair.words)} `, html("span", { class: "quiet" }, repair.who)));
      if (repair.mine && this.drafts.editable) {
        const label = fill(this.words.undo_of, { what: repair.words });
        const undo = () => this.repair.undo(repair.seq);
        row.append(html("button", { type: "button", value: repair.seq, "aria-label": label, onclick: undo }, this.words.undo));
      }
      return row;
    });
    list.replaceChildren(...(rows.length ? rows : [html("li", { class: "quiet" }, this.words.none)]));
    if (focused !== null) list.querySelector(`button[value="${focused}"]`)?.focus();
  }

  // What people do.

  listen() {
    const key = () => this.repair.chosen;
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
        this.repair.change(key(), of(target.value));
      });
    }
    this.fields.checked.addEventListener("change", ({ target }) => this.repair.change(key(), { checked: target.checked }));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const act = { line: "ontoTheLine", remove: "remove" }[event.submitter?.value] ?? "save";
      this.repair[act](key());
    });
    this.find("[data-back]").addEventListener("click", () => this.repair.putBack(key()));
    const tools = this.find("[data-tools]");
    if (!tools) return;
    tools.hidden = false;
    for (const button of tools.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => this.repair.picture.setZoom(button.dataset.zoom === "in" ? 1 : -1));
    }
    this.find("[data-add]").addEventListener("click", () => this.repair.add());
    this.find("[data-save-all]").addEventListener("click", () => this.repair.saveAll());
  }
}
