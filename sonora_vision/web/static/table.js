"use strict";

// The table's pages work without this file. With it they follow what happens: whatever is news, the
// page is fetched anew and its <main> is changed in place, so that focus, scroll, open details and
// half-filled forms stay. Forms are sent without leaving the page; each bears an action id, so that
// a second tap, or a form that is sent again because the answer was lost, does nothing twice.

const body = document.body;
const told = document.getElementById("told");
const own = () => document.querySelector("[data-own-live]");

const voice = document.createElement("p");
voice.className = "unseen";
voice.setAttribute("role", "status");
const banner = document.createElement("p");
banner.className = "lost";
banner.setAttribute("role", "status");
banner.hidden = true;
body.append(voice, banner);

// Changing one tree into another, leaving alone what is the same.

const same = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && (a.id || "") === (b.id || "");

const morph = (from, to) => {
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  if (from.hasAttribute("data-refresh")) return;
  for (const { name } of [...from.attributes]) {
    const kept = (name === "open" && from.nodeName === "DETAILS") || name === "data-busy-now";
    if (!to.hasAttribute(name) && !kept) from.removeAttribute(name);
  }
  for (const { name, value } of [...to.attributes]) {
    if (name === "open" && from.nodeName === "DETAILS" && from.dataset.touched) continue;
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  let at = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    let found = at;
    while (found && !same(found, wanted)) found = wanted.id || !found.id ? found.nextSibling : null;
    if (found) {
      while (at !== found) {
        const gone = at;
        at = at.nextSibling;
        gone.remove();
      }
      morph(found, wanted);
      at = found.nextSibling;
    } else {
      from.insertBefore(document.importNode(wanted, true), at);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
};

const said = () => [...document.querySelectorAll("main [data-say]")].map((e) => e.textContent.trim()).join(". ");

const show = (html, { quiet = false } = {}) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const main = page.querySelector("main");
  if (!main || own()) {
    location.reload();
    return;
  }
  const before = said();
  const focused = document.activeElement?.closest("main") ? document.activeElement : null;
  const id = focused?.id || focused?.closest("[id]")?.id;
  morph(document.querySelector("main"), document.importNode(main, true));
  document.title = page.title;
  const after = said();
  if (after !== before && !quiet) voice.textContent = after;
  if (focused && !focused.isConnected) {
    const stand = (id && document.getElementById(id)) || document.getElementById("main");
    if (!stand.matches("a, button, input, select, summary, [tabindex]")) stand.tabIndex = -1;
    stand.focus({ preventScroll: true });
  }
  const news = page.querySelectorAll("#told > *");
  if (news.length) {
    told.replaceChildren(...[...news].map((e) => document.importNode(e, true)));
    told.scrollIntoView({ block: "nearest" });
  }
};

// What is new.

let asked = false;
let asking = false;

const look = async () => {
  if (own()) return;
  if (asking) {
    asked = true;
    return;
  }
  asking = true;
  try {
    const answer = await fetch(location.href, { cache: "no-store", headers: { "X-Requested-With": "fetch" } });
    if (answer.redirected && new URL(answer.url).pathname !== location.pathname) location.replace(answer.url);
    else if (answer.status === 403) location.reload();
    else if (answer.ok) {
      show(await answer.text());
      reached();
    }
  } catch {
    lost();
  }
  asking = false;
  if (asked) {
    asked = false;
    look();
  }
};

// All phones hear of news in the same instant; they do not all ask in the same instant.
let due;
const soon = () => {
  due ??= setTimeout(() => {
    due = undefined;
    look();
  }, Math.random() * 150);
};

const reached = () => {
  if (banner.hidden) return;
  banner.hidden = true;
  voice.textContent = body.dataset.found;
};

const lost = () => {
  if (!banner.hidden) return;
  banner.textContent = body.dataset.lost;
  banner.hidden = false;
};

let stream;
let poll;
let seen = "";

const listen = () => {
  clearTimeout(poll);
  stream?.close();
  stream = new EventSource(body.dataset.stream);
  stream.addEventListener("game", (event) => {
    clearTimeout(poll);
    reached();
    const at = document.querySelector("[data-at]");
    if (at?.dataset.at !== event.data) soon(); // the stream begins with what the page may show already
  });
  stream.addEventListener("live", soon);
  stream.addEventListener("gone", () => location.assign("/"));
  stream.addEventListener("error", () => {
    // A stream that is closed for good does not come back by itself; asking does.
    const closed = stream.readyState === EventSource.CLOSED;
    clearTimeout(poll);
    poll = setTimeout(() => ask(closed), 1500);
  });
};

const ask = async (closed) => {
  try {
    const answer = await fetch(body.dataset.seq, { cache: "no-store" });
    const now = await answer.text();
    reached();
    if (now !== seen) look();
    seen = now;
  } catch {
    lost();
  }
  clearTimeout(poll);
  poll = setTimeout(() => (closed && !banner.hidden ? listen() : ask(closed)), 1500);
};

// Forms.

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const send = async (form, button) => {
  if (form.dataset.busyNow) return;
  const fields = new FormData(form, button);
  form.dataset.busyNow = "yes";
  if (button?.dataset.busy) {
    const bar = document.createElement("progress");
    bar.setAttribute("aria-label", button.dataset.busy);
    button.after(bar);
    voice.textContent = button.dataset.busy;
  }
  for (;;) {
    try {
      const answer = await fetch(form.action, { method: "POST", body: fields, headers: { "X-Requested-With": "fetch" } });
      const html = await answer.text();
      delete form.dataset.busyNow;
      form.reset();
      if (answer.redirected && new URL(answer.url).pathname === location.pathname) {
        if (location.search.includes("swap")) history.replaceState(null, "", answer.url);
        show(html);
      } else if (answer.redirected) location.assign(answer.url);
      else showError(html);
      reached();
      break;
    } catch {
      lost();
      await pause(1000); // the same form again: its action id lets it happen once
    }
  }
  form.querySelectorAll("progress").forEach((e) => e.remove());
};

const showError = (html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const notice = page.querySelector("main .notice p") || page.querySelector("main p");
  const p = document.createElement("p");
  p.className = "notice bad";
  p.setAttribute("role", "alert");
  p.textContent = notice ? notice.textContent : "?";
  told.replaceChildren(p);
  told.scrollIntoView({ block: "nearest" });
  look();
};

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.matches("[data-act]")) {
    event.preventDefault();
    told.replaceChildren();
    send(form, event.submitter);
  } else if (form.matches("[data-look]")) {
    event.preventDefault();
    const url = new URL(form.action);
    url.search = new URLSearchParams(new FormData(form, event.submitter)).toString();
    try {
      const answer = await fetch(url, { cache: "no-store" });
      history.replaceState(null, "", url);
      show(await answer.text(), { quiet: true });
      document.getElementById("trial")?.scrollIntoView({ block: "nearest" });
    } catch {
      lost();
    }
  }
});

document.addEventListener("toggle", (event) => {
  if (event.target.nodeName === "DETAILS") event.target.dataset.touched = "yes";
}, true);

for (const picture of document.querySelectorAll("img[data-refresh]")) {
  const address = picture.src;
  const again = () => {
    if (!document.hidden) picture.src = `${address}?t=${Date.now()}`;
  };
  const next = () => setTimeout(again, Number(picture.dataset.refresh));
  picture.addEventListener("load", next);
  picture.addEventListener("error", next);
  document.addEventListener("visibilitychange", again);
  next();
}

if (body.dataset.stream) {
  listen();
  document.addEventListener("visibilitychange", () => document.hidden || look());
  window.addEventListener("pagehide", () => stream?.close());
  window.addEventListener("pageshow", (event) => event.persisted && listen());
}
