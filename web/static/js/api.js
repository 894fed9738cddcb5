// Talking to the server, with the tokens this device was given.

import { say } from "./text.js";

export const tokens = {
  get: (kind) => localStorage.getItem(`allcity.${kind}`),
  set: (kind, token) => localStorage.setItem(`allcity.${kind}`, token),
  drop: (kind) => localStorage.removeItem(`allcity.${kind}`),
};

/** Somebody's no, in words for people. */
export class Refused extends Error {
  constructor(key, message, status) {
    super(message);
    this.key = key;
    this.status = status;
  }
}

/** The answer as JSON. Throws Refused, also when there is no server. */
export async function ask(path, { send, as = "seat" } = {}) {
  const answer = await request(path, { send, as });
  return answer.json();
}

/** The answer as an address for an <img>. */
export async function askPicture(path, { as = "host" } = {}) {
  const answer = await request(path, { as });
  return URL.createObjectURL(await answer.blob());
}

/** Where the table wants to know whether somebody is sure, it says what would count, and a no changes nothing. */
export async function command(name, args = {}, as = "seat") {
  const send = (more) => ask("/api/commands", { send: { command: name, args: { ...args, ...more } }, as });
  try {
    return await send({});
  } catch (refused) {
    if (!refused.key?.startsWith("table.sure")) throw refused;
    return window.confirm(refused.message) ? send({ sure: true }) : null;
  }
}

async function request(path, { send, as }) {
  const headers = headersFor(as);
  const options = { headers };
  if (send !== undefined) {
    options.method = "POST";
    if (send instanceof Blob || send instanceof FormData) options.body = send;
    else {
      headers["Content-Type"] = "application/json";
      options.body = JSON.stringify(send);
    }
  }
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refused("web.offline", say("web.offline"), 0);
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  throw new Refused(told.error ?? "web.failed", told.message ?? say("web.failed"), answer.status);
}

export function headersFor(as) {
  const token = tokens.get(as);
  return token ? { Authorization: `Bearer ${token}` } : {};
}
