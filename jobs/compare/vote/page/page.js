"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const sides = ["a", "b"];
  const closer = [1, 2, 4, 8];
  let state = null; // as the program told it last
  let media = {}; // the elements of the two sides
  let kind = "";
  let ready = false; // both sides can be looked at
  let doing = Promise.resolve(); // what is on its way to the program
  let answered = ""; // the ballot that was judged here last
  let playing = true;
  let heard = "a"; // whose sound is on, "" for none
  let zoom = 0, at = { x: 0.5, y: 0.5 };
  let rating = ""; // the side that stars are typed for
  let asked = false; // whether to reveal was asked
  let notice = ""; // to be said when the next pair shows
  let over = false;

  const say = (text) => { $("says").textContent = text; };

  const ask = async (path, body) => {
    const how = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    let answer;
    try {
      answer = await fetch(path, how);
    } catch {
      throw new Error("The program does not answer: was the vote ended?");
    }
    const got = await answer.json();
    if (!answer.ok) {
      const e = new Error(got.error || "that did not work");
      e.code = answer.status;
      throw e;
    }
    return got;
  };

  // act sends what was done, and shows what follows. The pair that it is about is named, so that one that
  // was judged in another window is not judged twice.
  // What is done goes to the program in the order of the keys.
  const act = (path, body) => {
    doing = doing.then(async () => {
      if (over) return;
      try { show(await ask(path, body)); } catch (e) { await trouble(e); }
    });
  };

  // trouble says what went wrong; where another window was there first, it shows how things stand now.
  const trouble = async (e) => {
    say(e.message);
    answered = "";
    if (e.code !== 409) return;
    notice = e.message + ".";
    try { show(await ask("state")); } catch (again) { say(again.message); }
  };

  const ballot = () => (state && state.ballot ? state.ballot.id : "");

  const show = (now) => {
    const before = ballot();
    state = now;
    asked = false;
    const p = state.progress, had = p.judged + p.skipped;
    $("far").textContent = state.ballot ? `Pair ${had + 1} of ${p.pairs}` : `All ${p.pairs} pairs had their turn`;
    $("bar").max = p.pairs || 1;
    $("bar").value = had;
    about();
    result();
    buttons();
    $("pair").hidden = !state.ballot;
    if (!state.ballot) {
      clear();
      $("prompt").textContent = "Nothing is left to judge";
      say(p.revealed ? "" : "r shows the result, u takes the last vote back, q ends.");
      return;
    }
    if (ballot() !== before) pair();
  };

  const about = () => {
    const b = state.ballot || {}, notes = b.notes || {};
    for (const side of sides) {
      const stars = b["stars_" + side] || 0;
      const parts = [];
      if (stars) parts.push("★".repeat(stars) + "☆".repeat(5 - stars));
      if (notes[side]) parts.push(notes[side]);
      $("about-" + side).textContent = parts.join(" ");
    }
  };

  const clear = () => {
    for (const side of sides) {
      const m = media[side];
      if (m && m.pause) { m.pause(); m.removeAttribute("src"); m.load(); }
      $("frame-" + side).replaceChildren();
    }
    media = {};
    ready = false;
    kind = "";
  };

  // pair loads the two sides, and shows both at once: which is there first tells nothing.
  const pair = async () => {
    clear();
    zoom = 0;
    at = { x: 0.5, y: 0.5 };
    rating = "";
    playing = true;
    $("pair").className = "waiting";
    const of = ballot();
    $("prompt").textContent = state.ballot.prompt;
    say("Loading …");
    buttons();
    let got;
    try {
      got = await ask("pair/" + of);
    } catch (e) {
      if (ballot() !== of) return;
      if (e.code === 409) await trouble(e);
      else say(e.message + ". s skips the pair.");
      return;
    }
    if (ballot() !== of) return;
    kind = got.kind;
    const loads = sides.map((side) => load(side, of));
    buttons();
    const came = await Promise.all(loads);
    if (ballot() !== of) return;
    if (came.includes(false)) {
      say("This browser cannot show one of the two. s skips the pair.");
      return;
    }
    ready = true;
    $("pair").className = "";
    say([notice, got.risk ? "Note: " + got.risk + "." : ""].join(" ").trim());
    notice = "";
    scale();
    if (kind !== "picture") again();
    buttons();
  };

  // load makes the element of a side; it resolves when that can be shown, to false when it cannot.
  const load = (side, of) => new Promise((done) => {
    const m = document.createElement(kind === "picture" ? "img" : kind === "video" ? "video" : "audio");
    media[side] = m;
    const name = kind === "picture" ? "Picture " : kind === "video" ? "Video " : "Sound ";
    if (kind === "picture") {
      m.alt = name + side.toUpperCase();
      m.onload = () => done(true);
    } else {
      m.setAttribute("aria-label", name + side.toUpperCase());
      m.preload = "auto";
      m.playsInline = true;
      m.disablePictureInPicture = true;
      m.oncanplaythrough = () => done(true);
      m.onended = ended;
    }
    m.onerror = () => done(false);
    m.src = "file/" + of + "/" + side;
    const frame = $("frame-" + side);
    frame.replaceChildren(m);
    if (kind === "audio") {
      const p = document.createElement("p");
      p.textContent = "♪ " + side.toUpperCase();
      frame.append(p);
    }
  });

  const both = () => sides.map((side) => media[side]);

  const start = async () => {
    sounds();
    try {
      await Promise.all(both().filter((m) => !m.ended).map((m) => m.play()));
    } catch (e) {
      if (e.name !== "NotAllowedError") return;
      // The browser wants a key first: without sound it plays.
      heard = "";
      sounds();
      say("m turns the sound on.");
      both().forEach((m) => { m.play().catch(() => {}); });
    }
  };

  // again plays both from the start.
  const again = () => {
    if (!ready || kind === "picture") return;
    both().forEach((m) => { m.currentTime = 0; });
    playing = true;
    start();
    buttons();
  };

  // ended starts both again when the longer one is over; the other one waits with its last picture.
  const ended = () => {
    if (ready && playing && both().every((m) => m.ended)) again();
  };

  // step keeps both in step.
  const step = () => {
    if (!ready || kind === "picture" || !playing) return;
    const [a, b] = both();
    if (a.ended || b.ended || a.seeking || b.seeking) return;
    if (Math.abs(a.currentTime - b.currentTime) > 0.12) b.currentTime = a.currentTime;
  };
  setInterval(step, 500);

  const sounds = () => {
    for (const side of sides) {
      if (media[side] && kind !== "picture") media[side].muted = heard !== side;
      $("side-" + side).classList.toggle("heard", kind !== "picture" && kind !== "" && heard === side);
    }
  };

  const scale = () => {
    for (const m of both()) {
      if (!m || kind === "audio") continue;
      m.style.transform = zoom ? `scale(${closer[zoom]})` : "";
      m.style.transformOrigin = `${100 * at.x}% ${100 * at.y}%`;
    }
  };

  const look = (x, y) => {
    at = { x: Math.min(1, Math.max(0, x)), y: Math.min(1, Math.max(0, y)) };
    scale();
  };

  const buttons = () => {
    const has = Boolean(state && state.ballot), p = state ? state.progress : {};
    for (const b of document.querySelectorAll("#keys button")) {
      const what = b.dataset.do;
      b.disabled = over || (["a", "b", "tie", "skip", "rate-a", "rate-b", "note"].includes(what) && !has) || (what === "undo" && !p.undo);
      if (["a", "b", "tie"].includes(what)) b.disabled = b.disabled || !ready;
      if (b.classList.contains("moving")) b.hidden = kind === "picture" || kind === "" || !ready;
      if (b.classList.contains("seen")) b.hidden = kind === "audio" || kind === "" || !ready;
    }
    $("play").textContent = playing ? "Pause" : "Play";
    $("sound").textContent = heard ? "Sound of " + heard.toUpperCase() : "No sound";
    $("zoom").textContent = zoom ? closer[zoom] + " times" : "Closer";
    sounds();
  };

  const row = (cells) => {
    const tr = document.createElement("tr");
    cells.forEach((text, i) => {
      const c = document.createElement(i ? "td" : "th");
      if (!i) c.scope = "row";
      c.textContent = text;
      tr.append(c);
    });
    return tr;
  };

  const items = (list) => (list || []).map((text) => {
    const li = document.createElement("li");
    li.textContent = text;
    return li;
  });

  const result = () => {
    const r = state.result;
    $("result").hidden = !r;
    if (!r) return;
    $("words").replaceChildren(...items(state.words));
    const stars = new Map((r.ratings || []).map((x) => [x.group, `${x.mean.toFixed(1)} (${x.n})`]));
    $("ranking").tBodies[0].replaceChildren(...(r.ranking.items || []).map((x) => {
      const island = r.ranking.islands[x.island] || [];
      const alone = island.length < 2;
      return row([x.name, x.wins, x.ties, x.losses, alone ? "–" : x.strength.toFixed(2), alone ? "–" : `${x.low.toFixed(2)} to ${x.high.toFixed(2)}`, stars.get(x.name) || ""]);
    }));
    $("matrix").tBodies[0].replaceChildren(...(r.pairs || []).map((x) => row([x.a, x.b, x.wins_a, x.ties, x.wins_b])));
    $("remarks").replaceChildren(...items((r.remarks || []).map((x) => `${x.judge}, ${x.group || x.pair}: ${x.text}`)));
  };

  const does = {
    a: () => judge("a"),
    b: () => judge("b"),
    tie: () => judge("tie"),
    skip: () => answer("skip"),
    undo: () => act("undo", {}),
    play: () => {
      if (!ready || kind === "picture") return;
      playing = !playing;
      if (playing) {
        if (both().every((m) => m.ended)) again(); else start();
      } else {
        both().forEach((m) => m.pause());
        const [a, b] = both();
        if (!a.ended && !b.ended) b.currentTime = a.currentTime;
      }
      buttons();
    },
    again,
    sound: () => {
      if (!ready || kind === "picture") return;
      heard = { a: "b", b: "", "": "a" }[heard];
      buttons();
      say(heard ? "Sound of " + heard.toUpperCase() : "No sound");
    },
    zoom: () => {
      if (!ready || kind === "audio") return;
      zoom = (zoom + 1) % closer.length;
      scale();
      buttons();
      say(zoom ? `${closer[zoom]} times as large; the pointer, or shift with an arrow, moves both` : "");
    },
    "rate-a": () => rate("a"),
    "rate-b": () => rate("b"),
    note: () => write(),
    reveal: () => {
      if (!state || over) return;
      if (!state.progress.revealed && !asked) {
        asked = true;
        say("The result shows which model is which: votes after it do not count. r once more shows it.");
        return;
      }
      act("reveal", {});
    },
    end: async () => {
      if (over) return;
      await doing;
      try { await ask("end", {}); } catch { /* it has ended */ }
      over = true;
      clear();
      $("pair").hidden = true;
      buttons();
      say("The vote has ended; all votes are kept. You can close this page.");
    },
  };

  const judge = (which) => {
    if (ballot() && !ready) say("Not both can be seen yet. s skips the pair.");
    else answer(which);
  };

  const answer = (which) => {
    if (!ballot() || answered === ballot()) return;
    answered = ballot();
    act("vote", { ballot: answered, answer: which });
  };

  const rate = (side) => {
    if (!ballot()) return;
    rating = side;
    say(`Stars for ${side.toUpperCase()}: 1 to 5, 0 for none; n writes a note on it, Esc leaves it.`);
  };

  const write = () => {
    if (!ballot()) return;
    const side = rating;
    $("note-of").textContent = side ? "Note on " + side.toUpperCase() : "Note on the pair";
    $("writing").hidden = false;
    $("note").value = ((state.ballot.notes || {})[side]) || "";
    $("note").dataset.side = side;
    $("note").focus();
    rating = "";
  };

  const leave = () => {
    $("writing").hidden = true;
    $("note").blur();
  };

  $("writing").addEventListener("submit", (e) => {
    e.preventDefault();
    const side = $("note").dataset.side, text = $("note").value;
    leave();
    act("note", { ballot: ballot(), side, text });
  });

  const keys = {
    1: "a", ArrowLeft: "a", 2: "b", ArrowRight: "b", 0: "tie", " ": "tie", s: "skip", u: "undo", p: "play", h: "again", m: "sound",
    z: "zoom", a: "rate-a", b: "rate-b", n: "note", r: "reveal", q: "end",
  };
  const pans = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };

  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey || e.isComposing) return;
    if (!$("writing").hidden) {
      if (e.key === "Escape") leave();
      return;
    }
    if (e.target instanceof HTMLButtonElement && (e.key === " " || e.key === "Enter")) return; // the button's own
    if (e.shiftKey && pans[e.key]) {
      if (zoom) look(at.x + pans[e.key][0], at.y + pans[e.key][1]);
      e.preventDefault();
      return;
    }
    if (e.key === "Escape") {
      rating = "";
      asked = false;
      say("");
      return;
    }
    if (rating && /^[0-5]$/.test(e.key)) {
      const side = rating;
      rating = "";
      e.preventDefault();
      say("");
      act("rate", { ballot: ballot(), side, stars: Number(e.key) });
      return;
    }
    const what = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!what || e.repeat && what !== "zoom") return;
    e.preventDefault();
    does[what]();
  });

  $("keys").addEventListener("click", (e) => {
    const b = e.target.closest("button");
    if (!b) return;
    does[b.dataset.do]();
    if (e.detail) b.blur(); // pressed with a pointer: the next blank is a tie again
  });

  for (const side of sides) {
    $("frame-" + side).addEventListener("pointermove", (e) => {
      if (!zoom) return;
      const r = e.currentTarget.getBoundingClientRect();
      look((e.clientX - r.left) / r.width, (e.clientY - r.top) / r.height);
    });
  }

  buttons();
  doing = ask("state").then(show, (e) => say(e.message));
})();
