"use strict";

// What is shown: the table's discs, with what is not saved yet laid over them. It stays there when
// the table changes, and outlives a reload; the server alone rules on places.

const FOLLOWS_FROM_THE_PLACE = ["in_hole", "launch_corner"];
const stateToSay = (state) => (FOLLOWS_FROM_THE_PLACE.includes(state) ? "flat" : state);

// crypto.randomUUID is not there on a page without https, as a table's are.
const newId = () => [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");
const isNew = (key) => key.startsWith("new");

class Drafts {
  constructor(state, { game, color, nameOfNew }) {
    this.state = state;
    this.color = color; // the only one that this person may add, or none
    this.nameOfNew = nameOfNew;
    this.pending = new Map();
    this.store = `repair ${game}`;
    this.recall();
  }

  get editable() {
    return this.state.phase === "settle";
  }

  saved(key) {
    return this.state.discs.find((disc) => String(disc.index) === key);
  }

  edit(key) {
    return this.pending.get(key);
  }

  disc(key) {
    if (key === null || key === undefined) return null;
    const edit = this.edit(key);
    const saved = this.saved(key);
    if (!edit) return saved ?? null;
    return { ...saved, mine: true, name: this.nameOfNew, kind: "settled", doubts: [], ...edit.judged, ...edit.put };
  }

  keys() {
    return [...this.state.discs.map((disc) => String(disc.index)), ...[...this.pending.keys()].filter(isNew)];
  }

  change(key, put) {
    let edit = this.edit(key);
    if (!edit) {
      const { color, number, x, y, state } = this.saved(key);
      edit = { put: { color, number, x, y, state: stateToSay(state), checked: false }, judged: {} };
      this.pending.set(key, edit);
    }
    const moved = "x" in put || "y" in put;
    if (moved && edit.put.state === "off_board" && !("state" in put)) put = { ...put, state: "flat" };
    Object.assign(edit.put, put);
    edit.id = newId(); // another content is another act
    this.remember();
  }

  add([x, y], firstColor) {
    const key = `new-${newId()}`;
    const gone = this.state.missing.find((disc) => !this.color || disc.color === this.color);
    const color = gone?.color ?? (this.color || firstColor);
    const put = { color, number: gone?.number ?? null, x, y, state: "flat", checked: false };
    this.pending.set(key, { put, judged: {}, id: newId(), floating: true });
    return key;
  }

  drop(key) {
    this.pending.delete(key);
    this.remember();
  }

  // Returns the names of the discs that somebody took away while they were changed here.
  take(state) {
    const names = new Map([...this.pending.keys()].map((key) => [key, this.disc(key).name]));
    this.state = state;
    const gone = [...names].filter(([key]) => !isNew(key) && !this.saved(key));
    for (const [key] of gone) this.pending.delete(key);
    this.remember();
    return gone.map(([, name]) => name);
  }

  forget() {
    this.pending.clear();
    this.remember();
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
      for (const [key, edit] of kept) if (isNew(key) || this.saved(key)) this.pending.set(key, edit);
    } catch {
      this.pending.clear();
    }
  }
}
