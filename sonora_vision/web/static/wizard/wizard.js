"use strict";

// The calibration pages: sending pictures, the live light, and the editors where there is one.

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

for (const root of document.querySelectorAll("[data-board]")) window.editor = new BoardEditor(root);
for (const root of document.querySelectorAll("[data-discs]")) window.editor = new DiscsEditor(root);
