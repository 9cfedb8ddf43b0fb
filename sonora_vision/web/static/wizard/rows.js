"use strict";

// The parts of the rows beside the picture.

// A piece of the picture, to compare a row with what it is about.
const piece = (editor, [x, y], reach) => {
  const [width, height] = editor.view.size;
  const made = svg("svg", { class: "piece", viewBox: `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`, "aria-hidden": "true" });
  svg("image", { href: editor.root.dataset.picture, width, height }, made);
  return made;
};
const field = (label, value, key, send, { list = null, mode = null, width = null } = {}) =>
  html("input", {
    "aria-label": label,
    placeholder: label.split(",")[0],
    value: value ?? "",
    "data-key": key,
    list,
    inputmode: mode,
    maxlength: 40,
    size: width ?? 8,
    autocomplete: "off",
    onchange: (event) => send(event.target.value),
  });
// Areas go by letters, circles and borders by numbers.
const letter = (index) => (index < 26 ? "" : letter(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));
const choice = (label, value, key, options, send) =>
  html(
    "select",
    { "aria-label": label, "data-key": key, onchange: (event) => send(event.target.value) },
    ...options.map(([name, words]) => html("option", { value: name, selected: name === value }, words)),
  );
const pressed = (words, label, key, act) => html("button", { type: "button", "aria-label": label, "data-key": key, onclick: act }, words);
