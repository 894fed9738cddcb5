// What a profile is called, where its facts come from; and all the rest where its game brings no sections.

import { make } from "../dom.js";
import { nameOf, say } from "../text.js";
import { brought } from "./brought.js";
import { selectField } from "./fields.js";
import { plainForm } from "./plain_form.js";

const SOURCES = ["measured", "photographed", "invented"];

export function basicsPanel(place, work) {
  const { profile } = work;
  const title = make("input", { value: profile.name, maxlength: 80, "data-where": "name", "data-focus": "name" });
  title.addEventListener("input", () => work.change((now) => { now.name = title.value; }, "name"));
  const source = selectField({
    label: nameOf("field", "source"), where: "source", value: profile.source, seen: true,
    options: [["", `– ${say("editor.choose")} –`], ...SOURCES.map((id) => [id, say(`editor.source_${id}`)])],
    set: (value) => work.change((now) => { now.source = value; }),
  });
  place.append(
    make("h2", {}, say("editor.tab_basics")),
    make("div", { class: "basics" }, make("label", { class: "field" }, make("span", {}, nameOf("field", "name")), title), source),
  );
  if (Object.keys(brought.sections).length === 0) plainForm(place, work, ["name", "source", "geometry"]);
}
