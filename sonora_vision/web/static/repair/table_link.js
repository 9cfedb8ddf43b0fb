"use strict";

// Asking and telling the table: it rules, saves, and says when something changed.

class TableLink {
  constructor({ judge, look, save, undo, stream }, silent) {
    this.to = { judge, look, save, undo, stream };
    this.silent = silent;
    this.token = document.querySelector("meta[name=csrf-token]")?.content || "";
  }

  async send(to, body, headers = {}) {
    const answer = await fetch(to, {
      method: "POST",
      headers: { "X-CSRFToken": this.token, "X-Requested-With": "fetch", ...headers },
      body,
    });
    const told = await answer.json().catch(() => ({ words: this.silent }));
    return { ok: answer.ok, status: answer.status, told };
  }

  // What a disc there would count for; onto the line: the nearest place that just touches it.
  judge(key, put, line = false) {
    const body = JSON.stringify({ disc: isNew(key) ? "new" : key, ...put, line });
    return this.send(this.to.judge, body, { "Content-Type": "application/json" });
  }

  save(values) {
    return this.send(this.to.save, new URLSearchParams(values));
  }

  undo(values) {
    return this.send(this.to.undo, new URLSearchParams(values));
  }

  async look() {
    const answer = await fetch(this.to.look, { cache: "no-store" });
    return answer.ok ? answer.json() : null;
  }

  follow(changed) {
    const source = new EventSource(this.to.stream);
    source.addEventListener("game", changed);
    source.addEventListener("gone", () => location.assign("/"));
    let poll = null;
    source.addEventListener("open", () => clearInterval(poll));
    source.addEventListener("error", () => {
      clearInterval(poll);
      poll = setInterval(changed, 4000);
    });
    window.addEventListener("pagehide", () => source.close());
    document.addEventListener("visibilitychange", () => document.hidden || changed());
  }
}
