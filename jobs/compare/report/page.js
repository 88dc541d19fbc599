"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const value = (cell) => {
    const v = cell.dataset.v ?? cell.textContent.trim();
    const n = Number(v);
    return v !== "" && !Number.isNaN(n) ? n : v;
  };
  const compare = (a, b) => {
    const x = typeof a === "number", y = typeof b === "number";
    if (x && y) return a - b;
    if (x !== y) return x ? -1 : 1;
    return a.localeCompare(b, undefined, { numeric: true });
  };
  // sortable gives each head of a table a button; rows() lists what is sorted, put() lays it out.
  const sortable = (heads, rows, put) => heads.forEach((th, i) => {
    const b = document.createElement("button");
    b.type = "button";
    const label = th.querySelector(".l") ?? th;
    b.append(...label.childNodes);
    label.append(b);
    b.addEventListener("click", () => {
      const down = th.getAttribute("aria-sort") === "ascending";
      heads.forEach((h) => h.removeAttribute("aria-sort"));
      th.setAttribute("aria-sort", down ? "descending" : "ascending");
      const keyed = rows().map((r) => [value(r.cells[i]), r]);
      keyed.sort((p, q) => compare(p[0], q[0]) * (down ? -1 : 1));
      put(keyed.map((k) => k[1]));
    });
  });
  document.querySelectorAll("table.sortable").forEach((t) => {
    const body = t.tBodies[0];
    sortable([...t.tHead.rows[0].cells], () => [...body.rows], (rows) => body.append(...rows));
  });

  const bodies = [...document.querySelectorAll("table.trials tbody")];
  let all = bodies.flatMap((b) => [...b.rows]);
  const total = all.length, size = 100, texts = new Map();
  const filter = $("filter"), failed = $("failed");
  const text = (r) => {
    if (!texts.has(r)) texts.set(r, r.textContent.toLowerCase());
    return texts.get(r);
  };
  const lay = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = all.filter((r) => (!failed.checked || r.classList.contains("flag")) && words.every((w) => text(r).includes(w)));
    bodies.forEach((b, i) => {
      b.replaceChildren(...rows.slice(i * size, (i + 1) * size));
      b.closest(".chunk").hidden = i > 0 && b.rows.length === 0;
    });
    $("count").textContent = rows.length === total ? `${total} trials` : `${rows.length} of ${total} trials`;
  };
  if (bodies.length) {
    $("tools").hidden = false;
    $("tools").addEventListener("submit", (e) => e.preventDefault());
    filter.addEventListener("input", lay);
    failed.addEventListener("change", lay);
    const heads = [...bodies[0].closest("table").tHead.rows[0].cells];
    sortable(heads, () => all, (rows) => { all = rows; lay(); });
    $("chunks").addEventListener("click", (e) => { // the head of a later piece of the table does as the first one
      const th = e.target.closest("th");
      if (th && !heads.includes(th)) heads[th.cellIndex].querySelector("button").click();
    });
    $("count").textContent = `${total} trials`;
  }

  // Many films at once would take the browser's memory: each is looked into when it comes near.
  const near = new IntersectionObserver((list) => list.forEach((e) => {
    if (!e.isIntersecting) return;
    e.target.preload = "metadata";
    near.unobserve(e.target);
  }), { rootMargin: "600px" });
  document.querySelectorAll("video, audio").forEach((m) => near.observe(m));

  addEventListener("beforeprint", () => document.querySelectorAll("img, video").forEach((m) => { m.loading = "eager"; m.preload = "metadata"; }));

  // A film shows its controls only while it is pointed at or has the focus: they lie on the picture.
  document.querySelectorAll("video").forEach((v) => {
    const bare = () => { v.controls = v.matches(":hover, :focus"); };
    v.tabIndex = 0;
    v.controls = false;
    ["pointerenter", "pointerleave", "focus", "blur"].forEach((e) => v.addEventListener(e, bare));
  });
  document.querySelectorAll(".cards").forEach((cards) => {
    const films = [...cards.querySelectorAll("video")];
    if (films.length < 2) return;
    const b = document.createElement("button");
    b.type = "button";
    b.className = "together";
    const name = () => { b.textContent = films.some((v) => !v.paused) ? "pause" : "play together"; };
    name();
    films.forEach((v) => ["play", "pause"].forEach((e) => v.addEventListener(e, name)));
    b.addEventListener("click", () => {
      if (films.some((v) => !v.paused)) { films.forEach((v) => v.pause()); return; }
      films.forEach((v) => { v.currentTime = 0; v.play().catch(() => {}); });
    });
    const head = cards.previousElementSibling;
    head.append(b);
  });

  const theme = $("theme"), root = document.documentElement;
  theme.hidden = false;
  const turn = () => {
    const dark = root.classList.contains("dark") || !root.classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches;
    root.classList.toggle("dark", !dark);
    root.classList.toggle("light", dark);
  };
  theme.addEventListener("click", turn);

  const move = (by) => {
    const rows = bodies.flatMap((b) => [...b.rows]);
    if (!rows.length) return;
    const at = rows.indexOf(document.activeElement);
    const to = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
    to.focus();
    to.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Escape") {
      if (bodies.length && filter.value) { filter.value = ""; lay(); }
      document.activeElement?.blur();
      return;
    }
    if (e.target.matches("input[type=search]")) return;
    switch (e.key) {
      case "j": move(1); break;
      case "k": move(-1); break;
      case "/": if (bodies.length) { e.preventDefault(); filter.focus(); } break;
      case "f": if (bodies.length) { failed.checked = !failed.checked; lay(); } break;
      case "t": turn(); break;
      case "Enter": {
        const slot = e.target.dataset?.t;
        const to = slot && document.getElementById("t" + slot);
        if (to) { e.preventDefault(); location.hash = "t" + slot; to.focus(); }
        break;
      }
    }
  });
})();
