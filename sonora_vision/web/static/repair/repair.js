"use strict";

// Putting discs right: the acts of a person, from the picture and the panel to the table.

class Repair {
  constructor(root) {
    this.root = root;
    this.words = JSON.parse(root.dataset.words);
    this.link = new TableLink(root.dataset, this.words.silent);
    this.drafts = new Drafts(JSON.parse(root.dataset.state), {
      game: root.dataset.game,
      color: root.dataset.actorColor,
      nameOfNew: this.words.new,
    });
    this.chosen = null;
    root.classList.add("scripted");
    this.picture = this.find("[data-sheet]") ? new Picture(this) : null;
    this.panel = new Panel(this);
    const asked = new URLSearchParams(location.search).get("disc");
    const unsaved = [...this.drafts.pending.keys()];
    this.choose(this.drafts.disc(asked)?.mine ? asked : unsaved[0] ?? null);
    for (const key of unsaved) this.ask(key);
    onUndoKeys(() => this.undoLast());
    this.link.follow(() => this.look());
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  draw() {
    this.picture?.draw();
    this.panel.draw();
  }

  choose(key, { reveal = true } = {}) {
    this.chosen = key;
    this.draw();
    if (key !== null && reveal) this.picture?.reveal();
  }

  label(disc) {
    const at = fill(this.words.at, { x: disc.x.toFixed(1), y: disc.y.toFixed(1) });
    return [capital(disc.name), disc.headline, disc.gap, ...disc.doubts, at].filter(Boolean).join(", ");
  }

  // What is not saved yet.

  change(key, put) {
    if (!this.drafts.editable) return;
    this.drafts.change(key, put);
    this.draw();
    this.ask(key);
  }

  add() {
    if (!this.drafts.editable) return;
    const key = this.drafts.add(this.picture.middle(), this.panel.fields.color.options[0].value);
    this.choose(key);
    this.ask(key);
    this.picture.focus(key);
  }

  drop(key) {
    this.drafts.drop(key);
    if (!this.drafts.saved(key) && this.chosen === key) this.chosen = null;
    this.choose(this.chosen);
  }

  putBack(key) {
    const name = capital(this.drafts.disc(key).name);
    this.drop(key);
    this.panel.say(fill(this.words.back, { disc: name }));
    if (!this.picture?.focus(key)) this.find("[data-add]")?.focus({ preventScroll: true });
  }

  // One question at a time; what changed meanwhile is asked next.
  async ask(key) {
    const edit = this.drafts.edit(key);
    if (!edit) return;
    edit.again = true;
    if (edit.asking) return;
    edit.asking = true;
    while (edit.again && this.drafts.edit(key) === edit) {
      edit.again = false;
      if (edit.put.number === null && this.panel.fields.number) break;
      try {
        const { ok, told } = await this.link.judge(key, edit.put);
        edit.refusal = ok ? "" : told.words;
        if (ok) {
          const { x, y, color, number, state, ...judged } = told;
          edit.judged = judged;
        }
      } catch {
        edit.refusal = this.words.silent;
      }
      this.draw();
      if (key === this.chosen && !edit.again) this.panel.sayVerdict();
    }
    edit.asking = false;
  }

  async ontoTheLine(key) {
    try {
      const { ok, told } = await this.link.judge(key, this.drafts.disc(key), true);
      if (ok) this.change(key, { x: told.x, y: told.y, checked: true });
      this.panel.fault(ok ? "" : told.words);
    } catch {
      this.panel.fault(this.words.silent);
    }
  }

  // What the table keeps.

  async save(key) {
    const edit = this.drafts.edit(key) ?? { put: this.drafts.disc(key), id: newId() };
    const { color, number, x, y, state, checked } = edit.put;
    const values = { do: "save", disc: isNew(key) ? "new" : key, color, number: number ?? "", x, y, state };
    if (checked) values.checked = "yes";
    const before = this.drafts.state.discs.length;
    if (!(await this.tell("save", values, edit.id))) return false;
    this.drafts.drop(key);
    const indices = this.drafts.state.discs.map((disc) => disc.index);
    if (isNew(key) && indices.length > before) key = String(Math.max(...indices));
    this.choose(key);
    this.panel.say(fill(this.words.saved, { disc: capital(this.drafts.disc(key)?.name ?? "") }));
    return true;
  }

  async saveAll() {
    for (const key of [...this.drafts.pending.keys()]) if (!(await this.save(key))) return;
  }

  async remove(key) {
    const name = capital(this.drafts.disc(key).name);
    if (isNew(key)) {
      this.drop(key);
      return;
    }
    if (!(await this.tell("save", { do: "remove", disc: key }, newId()))) return;
    this.drop(key);
    this.panel.say(fill(this.words.removed, { disc: name }));
    this.find("[data-repairs] button")?.focus();
  }

  async undo(seq) {
    if (await this.tell("undo", { seq }, newId())) {
      this.choose(this.drafts.disc(this.chosen) ? this.chosen : null);
      this.panel.say(this.words.undone);
    }
  }

  undoLast() {
    const last = this.drafts.state.repairs.find((repair) => repair.mine);
    if (last && this.drafts.editable) this.undo(last.seq);
  }

  async tell(act, values, id) {
    this.root.setAttribute("aria-busy", "true");
    try {
      const { ok, status, told } = await this.link[act]({ ...values, of: this.drafts.state.of, action_id: id });
      if (ok) this.take(told);
      else this.panel.fault(told.words);
      if (status === 409) this.look();
      return ok;
    } catch {
      this.panel.fault(this.words.silent);
      return false;
    } finally {
      this.root.removeAttribute("aria-busy");
    }
  }

  async look() {
    try {
      const state = await this.link.look();
      if (state) this.take(state);
    } catch {
      // the stream tells when the table is there again
    }
  }

  take(state) {
    if (state.seq < this.drafts.state.seq) return; // an older answer that was overtaken
    if (state.of !== this.drafts.state.of) {
      this.drafts.forget();
      location.reload();
      return;
    }
    for (const disc of this.drafts.take(state)) this.panel.fault(fill(this.words.gone, { disc }));
    if (this.chosen !== null && !this.drafts.disc(this.chosen)) this.chosen = null;
    this.draw();
  }
}

new Repair(document.querySelector("[data-repair]"));
