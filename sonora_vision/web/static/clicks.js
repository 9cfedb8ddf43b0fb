"use strict";

// One photograph is clicked: each thing to click in turn, a cross that keys move, undo.

const root = document.querySelector(".clicking");
const words = JSON.parse(root.dataset.words); // in the page's language
const picture = root.querySelector("[data-picture]");
const image = picture.querySelector("img");
const marks = root.querySelector("[data-marks]");
const here = root.querySelector("[data-here]");
const magnifier = root.querySelector("[data-magnifier]");
const answer = root.querySelector("[data-answer]");
const button = (name) => root.querySelector(`[data-${name}]`);
const targets = [...root.querySelectorAll("[data-target]")].map((element) => ({
  element,
  words: element.querySelector("span").textContent,
  color: element.dataset.color,
  mm: element.dataset.color ? null : [Number(element.dataset.x), Number(element.dataset.y)],
  px: null,
  passed: false,
}));
const size = ["width", "height"].map((name) => Number(image.getAttribute(name)));
const done = []; // what was set before, newest last, to be taken back
let current = 0;
let cross = null;
let zoom = 1;

// Pixel (0, 0) is the middle of the first pixel.
const pixelOf = (event) => {
  const box = image.getBoundingClientRect();
  return [
    ((event.clientX - box.left) / box.width) * size[0] - 0.5,
    ((event.clientY - box.top) / box.height) * size[1] - 0.5,
  ];
};
const rounded = (point) => point.map((value) => Math.round(value * 10) / 10);

const shape = (name, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  marks.append(element);
};
const plus = (point, reach, kind) => {
  const [x, y] = [point[0] + 0.5, point[1] + 0.5];
  const d = `M${x - reach} ${y}H${x + reach}M${x} ${y - reach}V${y + reach}`;
  shape("path", { d, class: "dark" });
  shape("path", { d, class: kind });
};

const magnify = () => {
  const brush = magnifier.getContext("2d");
  const side = magnifier.width;
  brush.clearRect(0, 0, side, side);
  if (!cross || !image.complete) return;
  const part = side / 6;
  brush.imageSmoothingEnabled = false;
  brush.drawImage(image, cross[0] + 0.5 - part / 2, cross[1] + 0.5 - part / 2, part, part, 0, 0, side, side);
  for (const [color, width] of [["#000000", 3], ["#ffe000", 1]]) {
    brush.strokeStyle = color;
    brush.lineWidth = width;
    brush.beginPath();
    brush.moveTo(0, side / 2);
    brush.lineTo(side, side / 2);
    brush.moveTo(side / 2, 0);
    brush.lineTo(side / 2, side);
    brush.stroke();
  }
};

const show = () => {
  const target = targets[current];
  button("next").textContent = target ? target.words : words.done;
  here.setAttribute("visibility", target && target.mm ? "visible" : "hidden");
  if (target && target.mm) {
    here.setAttribute("cx", target.mm[0]);
    here.setAttribute("cy", target.mm[1]);
  }
  marks.replaceChildren();
  const reach = Math.max(...size) / 90;
  for (const each of targets) {
    each.element.setAttribute("aria-current", each === target ? "true" : "false");
    each.element.querySelector("[data-where]").textContent = each.px
      ? words.at.replace("{x}", each.px[0]).replace("{y}", each.px[1])
      : each.passed ? words.passed : "";
    if (each.px) plus(each.px, reach, "light");
  }
  if (cross) plus(cross, reach * 1.6, "cross");
  button("undo").disabled = !done.length;
  button("skip").disabled = !target;
  const landmarks = targets.filter((each) => each.mm && each.px).length;
  button("send").disabled =
    landmarks < Number(root.dataset.least) || targets.some((each) => each.color && !each.px);
  magnify();
};

const advance = () => {
  const open = targets.findIndex((each, index) => index > current && !each.px && !each.passed);
  current = open >= 0 ? open : targets.findIndex((each) => !each.px && !each.passed);
  if (current < 0) current = targets.length;
};
const set = (change) => {
  const target = targets[current];
  if (!target) return;
  done.push({ index: current, px: target.px, passed: target.passed });
  Object.assign(target, change);
  answer.textContent = "";
  advance();
  show();
};
const undo = () => {
  const last = done.pop();
  if (!last) return;
  current = last.index;
  Object.assign(targets[current], { px: last.px, passed: last.passed });
  answer.textContent = "";
  show();
};
const clickAt = (point) => set({ px: rounded(point), passed: false });
const pass = () => set({ px: null, passed: true });

picture.addEventListener("pointermove", (event) => {
  cross = pixelOf(event);
  show();
});
picture.addEventListener("click", (event) => {
  cross = pixelOf(event);
  clickAt(cross);
});
picture.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const step = steps[event.key];
  if (step) {
    const far = event.shiftKey ? 10 : 1;
    cross ??= [Math.floor(size[0] / 2), Math.floor(size[1] / 2)];
    cross = cross.map((value, axis) => Math.min(Math.max(value + far * step[axis], 0), size[axis] - 1));
    show();
  } else if (event.key === "Enter" && cross) clickAt(cross);
  else if (event.key === "Backspace") undo();
  else if (event.key === "n" || event.key === "N") pass();
  else return;
  event.preventDefault();
});
targets.forEach((target, index) => {
  target.element.addEventListener("click", () => {
    current = index;
    show();
    picture.focus();
  });
});
button("undo").addEventListener("click", undo);
button("skip").addEventListener("click", pass);
const enlarge = (factor) => {
  zoom = Math.min(Math.max(zoom * factor, 1), 6);
  picture.style.width = `${zoom * 100}%`;
};
button("larger").addEventListener("click", () => enlarge(1.5));
button("smaller").addEventListener("click", () => enlarge(1 / 1.5));
button("send").addEventListener("click", async () => {
  button("send").disabled = true;
  answer.textContent = words.checking;
  const clicked = targets.filter((each) => each.px);
  const body = JSON.stringify({
    landmarks: clicked.filter((each) => each.mm).map(({ mm, px }) => ({ mm, px })),
    colors: clicked.filter((each) => each.color).map(({ color, px }) => ({ color, px })),
  });
  try {
    const reply = await fetch(root.dataset.save, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    answer.textContent = (await reply.json()).words;
  } catch {
    answer.textContent = words.silent;
  }
  button("send").disabled = false;
});
image.addEventListener("load", magnify);
show();
