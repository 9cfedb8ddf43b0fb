"use strict";

// Many photographs: each is sent by itself, with its progress; the list is brought up to date as
// they are read. Without this file the form sends all of them at once.

const LOOK_MS = 900;
const BUSY_MS = 3000;
const TRIES = 40;

const list = document.querySelector("[data-rows]");
const openCount = () => Number(list.querySelector("[data-open]").dataset.open);
let looking = null;
const look = async () => {
  clearTimeout(looking);
  try {
    const answer = await fetch(list.dataset.rows, { cache: "no-store" });
    const told = (await answer.text()).trim();
    // Forms of the page bear the same token; what did not change is left alone, focus and all.
    if (answer.ok && told !== list.dataset.told) {
      const at = list.contains(document.activeElement) ? document.activeElement.closest("li")?.id : null;
      const kind = document.activeElement?.tagName;
      list.innerHTML = told;
      list.dataset.told = told;
      if (at) document.getElementById(at)?.querySelector(kind)?.focus({ preventScroll: true });
    }
  } catch {
    // asked again below
  }
  if (openCount() || sendingCount) looking = setTimeout(look, LOOK_MS);
};

const form = document.querySelector("[data-photos]");
let sendingCount = 0;

if (form) {
  const words = JSON.parse(form.dataset.words);
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const input = form.querySelector("input[type=file]");
  const status = form.querySelector("[data-sending]");
  const queue = form.querySelector("[data-queue]");
  const waiting = [];
  let busy = false;

  const post = (file, bar) =>
    new Promise((resolve) => {
      const body = new FormData();
      for (const name of ["csrf_token", "order"]) body.append(name, form.elements[name].value);
      body.append("file", file);
      const request = new XMLHttpRequest();
      request.open("POST", form.action);
      request.setRequestHeader("X-Requested-With", "fetch");
      request.upload.addEventListener("progress", (event) => {
        if (event.lengthComputable) bar.value = event.loaded / event.total;
      });
      for (const end of ["load", "error", "abort"]) request.addEventListener(end, () => resolve(request));
      request.send(body);
    });

  const again = (request) => Number(request.getResponseHeader("Retry-After")) * 1000 || BUSY_MS;
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  const sendOne = async ({ file, row, bar, said }) => {
    for (let time = 0; time < TRIES; time += 1) {
      said.textContent = fill(words.sending, { name: file.name });
      const request = await post(file, bar);
      if (request.status === 200) {
        row.remove();
        return;
      }
      if (request.status !== 503 && request.status !== 429) {
        const told = request.status === 413 ? request.statusText : "";
        said.textContent = fill(words.failed, { name: file.name }) + (told && `: ${told}`);
        break;
      }
      said.textContent = fill(words.waiting, { name: file.name });
      await pause(again(request));
    }
    bar.remove();
    const retry = document.createElement("button");
    retry.type = "button";
    retry.textContent = words.again;
    retry.addEventListener("click", () => {
      row.remove();
      enqueue([file]);
    });
    row.append(retry);
  };

  const work = async () => {
    if (busy) return;
    busy = true;
    while (waiting.length) {
      sendingCount = waiting.length;
      status.textContent = fill(words.left, { count: waiting.length });
      look();
      await sendOne(waiting.shift());
    }
    sendingCount = 0;
    status.textContent = queue.children.length ? "" : words.sent;
    busy = false;
    look();
  };

  const enqueue = (files) => {
    for (const file of files) {
      const row = document.createElement("li");
      const said = document.createElement("span");
      const bar = document.createElement("progress");
      bar.setAttribute("aria-label", file.name);
      bar.value = 0;
      said.textContent = file.name;
      row.append(said, bar);
      queue.append(row);
      waiting.push({ file, row, bar, said });
    }
    work();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enqueue([...input.files]);
    form.reset();
  });
  const over = (event) => {
    event.preventDefault();
    form.classList.add("over");
  };
  form.addEventListener("dragenter", over);
  form.addEventListener("dragover", over);
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    enqueue([...event.dataTransfer.files]);
  });
  window.addEventListener("beforeunload", (event) => {
    if (busy) event.preventDefault();
  });
}

if (openCount()) look();
