import { call, type Dialog, follow, type Instance } from "./api.js";
import { Dialogs } from "./dialogs.js";
import { Transcript } from "./transcript.js";

/** How often the list is read anew, in ms. */
const listEveryMs = 2000;

function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found as T;
}

const list = element("agents");
const notice = element("notice");
const message = element<HTMLTextAreaElement>("message");
const transcript = new Transcript(element("transcript"));
let instances: Instance[] = [];
let selected: string | undefined;
let following: AbortController | undefined;
let cost = "";

const path = (rest = "") => `/v1/instances/${selected}${rest}`;
const say = (text: string) => {
  notice.textContent = text;
};
const attempt = (work: Promise<unknown>) =>
  work.then(
    () => say(""),
    (error: Error) => say(error.message),
  );
const dialogs = new Dialogs(element("dialogs"), (id, answer) => {
  void attempt(answerDialog(id, answer));
  message.focus();
});

async function answerDialog(id: string, answer: object): Promise<void> {
  const { answered } = await call<{ answered: boolean }>("POST", path(`/dialogs/${id}`), answer);
  if (!answered) throw new Error("The answer was not taken: somebody else has answered, or it came too late.");
}

function showList(): void {
  const buttons = new Map([...list.querySelectorAll("button")].map((button) => [button.dataset["id"], button]));
  for (const { id, label, cwd, status, isStreaming } of instances) {
    let button = buttons.get(id);
    buttons.delete(id);
    if (!button) {
      button = document.createElement("button");
      button.dataset["id"] = id;
      button.append(document.createElement("span"), document.createElement("small"));
      button.addEventListener("click", () => select(id));
      const item = document.createElement("li");
      item.append(button);
      list.append(item);
    }
    button.setAttribute("aria-current", String(id === selected));
    const [name, state] = button.children;
    if (name) name.textContent = label ?? id.slice(0, 8);
    if (state) state.textContent = `${status}${isStreaming ? ", working" : ""} - ${cwd}`;
  }
  for (const button of buttons.values()) button.parentElement?.remove();
  showFacts();
}

function showFacts(): void {
  const instance = instances.find(({ id }) => id === selected);
  element("agent").hidden = !instance;
  if (!instance) return;
  element("name").textContent = instance.label ?? instance.id;
  const { status, isStreaming, restarts, reason } = instance;
  const facts = [status, isStreaming ? "working" : "", restarts > 0 ? `${restarts} restarts` : "", cost, reason ?? ""];
  element("facts").textContent = facts.filter((fact) => fact !== "").join(" - ");
}

async function readList(): Promise<void> {
  try {
    ({ instances } = await call<{ instances: Instance[] }>("GET", "/v1/instances"));
    if (notice.textContent?.startsWith("Cannot reach")) say("");
    if (selected === undefined && instances[0]) select(instances[0].id);
    showList();
  } catch (error) {
    say(`Cannot reach the orchestrator: ${(error as Error).message}`);
  }
}

async function readState(): Promise<void> {
  const asked = selected;
  const { dialogs: open } = await call<{ dialogs: Dialog[] }>("GET", path());
  if (asked === selected) dialogs.show(open);
}

async function readCost(): Promise<void> {
  const asked = selected;
  const { response } = await call<{ response: { data?: { cost: number } } }>("POST", path("/rpc"), {
    type: "get_session_stats",
  });
  if (asked !== selected) return;
  cost = response.data ? `$${response.data.cost.toFixed(4)}` : "";
  showFacts();
}

function select(id: string): void {
  selected = id;
  following?.abort();
  following = new AbortController();
  transcript.clear();
  dialogs.show([]);
  cost = "";
  showList();
  void readState().catch(() => {});
  void readCost().catch(() => {});
  void follow(id, following.signal, takeFrame);
  message.focus();
}

function takeFrame(frame: Record<string, unknown>): void {
  switch (frame["type"]) {
    case "entry":
      transcript.entry(frame["entry"] as Parameters<Transcript["entry"]>[0]);
      break;
    case "dialog_closed":
      void readState().catch(() => {});
      break;
    case "session_changed":
      transcript.clear();
      break;
    case "instance": {
      const changed = frame["instance"] as Instance;
      instances = instances.map((instance) => (instance.id === changed.id ? changed : instance));
      showList();
      break;
    }
    case "prompt_state": {
      const { state, error } = frame["prompt"] as { state: string; error?: string };
      if (state === "interrupted" || state === "rejected") say(`A prompt was ${state}: ${error ?? ""}`);
      break;
    }
    case "event":
      takeEvent(frame["event"] as { type: string; assistantMessageEvent?: { type: string; delta?: string } });
      break;
    default:
      break;
  }
}

function takeEvent({
  type,
  assistantMessageEvent,
}: {
  type: string;
  assistantMessageEvent?: { type: string; delta?: string };
}): void {
  if (type === "message_update" && assistantMessageEvent?.type === "text_delta")
    transcript.delta(assistantMessageEvent.delta ?? "");
  else if (type === "extension_ui_request") void readState().catch(() => {});
  else if (type === "agent_settled") void readCost().catch(() => {});
}

/** The prompt that is being sent, or could not be: again under the same id, it runs once even if only the answer was lost. */
let sending: { text: string; instance: string; promptId: string; isUnderWay: boolean } | undefined;

/** The text stays in the field until the orchestrator has it. */
async function send(): Promise<void> {
  const text = message.value.trim();
  if (text === "" || selected === undefined || sending?.isUnderWay) return;
  if (sending?.text !== text || sending.instance !== selected) {
    sending = { text, instance: selected, promptId: crypto.randomUUID(), isUnderWay: true };
  }
  sending.isUnderWay = true;
  try {
    await call("POST", path("/prompts"), { message: text, promptId: sending.promptId });
    sending = undefined;
    if (message.value.trim() === text) message.value = "";
  } finally {
    if (sending) sending.isUnderWay = false;
  }
}

element("prompt").addEventListener("submit", (event) => {
  event.preventDefault();
  void attempt(send());
});
message.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  void attempt(send());
});
element("stop").addEventListener("click", () => {
  following?.abort();
  void attempt(call("DELETE", path())).then(() => {
    selected = undefined;
    return readList();
  });
});
document.addEventListener("keydown", (event) => {
  if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
  event.preventDefault();
  const at = instances.findIndex(({ id }) => id === selected) + (event.key === "ArrowUp" ? -1 : 1);
  const next = instances.at(at % Math.max(1, instances.length));
  if (next) select(next.id);
});

void readList();
setInterval(() => void readList(), listEveryMs);
