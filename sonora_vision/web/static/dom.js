"use strict";

// What the editing pages share: elements made in a line, words with values, the arrow keys.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const setAll = (element, attributes) => {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
};

const svg = (name, attributes = {}, parent = null) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAll(made, attributes);
  if (parent) parent.append(made);
  return made;
};

const html = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
};

// Every text comes with the page, in its language; values go where braces are.
const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, key) => values[key]);
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

// Where on a drawing something happened, in the drawing's own units.
const pointOn = (sheet, event) => {
  const point = new DOMPoint(event.clientX, event.clientY);
  const { x, y } = point.matrixTransform(sheet.getScreenCTM().inverse());
  return [x, y];
};

// Undo by keys, where they are not typed into a field.
const onUndoKeys = (act) =>
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    act();
  });
