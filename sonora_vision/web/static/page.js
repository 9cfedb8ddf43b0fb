"use strict";

// The pages work without this file: it adds dropping a photograph, and waiting without reloading.

for (const form of document.querySelectorAll("[data-drop]")) {
  const input = form.querySelector("input[type=file]");
  const sending = form.querySelector("[data-sending]");
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
    if (event.dataTransfer.files.length) {
      input.files = event.dataTransfer.files;
      form.requestSubmit();
    }
  });
  form.addEventListener("submit", () => {
    sending.textContent = form.dataset.sendingWords || "";
    form.querySelector("button").disabled = true;
  });
  // A page that the browser brings back from its history must take a photograph again.
  window.addEventListener("pageshow", () => {
    sending.textContent = "";
    form.querySelector("button").disabled = false;
  });
}

const waiting = document.querySelector("[data-wait]");
if (waiting) {
  const words = waiting.querySelector("[role=status]");
  const look = async () => {
    try {
      const answer = await fetch(waiting.dataset.wait, { cache: "no-store" });
      const { state } = await answer.json();
      if (state !== "waiting" && state !== "reading") {
        location.reload();
        return;
      }
    } catch {
      words.textContent = "The program does not answer. Trying again";
    }
    setTimeout(look, 400);
  };
  setTimeout(look, 300);
}

// A link to a closed group opens it.
const openTarget = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
};
window.addEventListener("hashchange", openTarget);
openTarget();
