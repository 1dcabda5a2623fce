// Requests to the server.

const token = new URLSearchParams(location.hash.slice(1)).get("token");

export class Refused extends Error {
  constructor({ kind, message, problems = [] }) {
    super(message);
    this.kind = kind;
    this.problems = problems;
  }
}

export async function ask(path, body) {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const options = { headers };
  if (body !== undefined) {
    options.method = "POST";
    options.body = JSON.stringify(body);
    headers["content-type"] = "application/json";
  }
  let reply;
  try {
    reply = await fetch(path, options);
  } catch {
    throw new Refused({ kind: "gone", message: "the server does not answer; is `lawful serve` still running?" });
  }
  const data = await reply.json();
  if (!reply.ok) throw new Refused(data.error);
  return data;
}

/** One request at a time: while one is under way, only the newest of the following ones is kept. */
export function newest(work) {
  let busy = false;
  let next = null;
  return async function run(...args) {
    if (busy) {
      next = args;
      return;
    }
    busy = true;
    try {
      await work(...args);
    } finally {
      busy = false;
      if (next) {
        const waiting = next;
        next = null;
        run(...waiting);
      }
    }
  };
}
