/*! With highlight.js (c) 2006 Ivan Sagalaev, BSD-3-Clause, and marked (c) 2018+ MarkedJS, (c) 2011-2018 Christopher Jeffrey, MIT */
/** The page's script: reads the session it brings along and shows it. */
import { addressOf, isOnBranch, placeOf } from "./address.js";
import { BranchPanel } from "./branch-panel.js";
import { copyText } from "./clipboard.js";
import { decodeBase64Text } from "./decode.js";
import { makeResizable } from "./divider.js";
import { element, part } from "./dom.js";
import { downloadJsonl } from "./download.js";
import { fields } from "./fields.js";
import { listenToKeys } from "./keys.js";
import { type Actions, overview } from "./overview.js";
import { Session } from "./session.js";
import { TreePanel } from "./tree-panel.js";

function start(): void {
  const data = part("session-data", HTMLScriptElement);
  const session = new Session(fields(JSON.parse(decodeBase64Text(data.textContent ?? ""))));
  // The text is not needed again, and it may be large.
  data.remove();
  const main = part("main", HTMLElement);
  const search = part("search", HTMLInputElement);
  let { leaf, target } = placeOf(location.search, session);

  const actions: Actions = {
    thinking: () => branch.toggleThinking(),
    output: () => branch.toggleOutput(),
    hidden: () => branch.toggleHidden(),
    reset() {
      tree.reset();
      branch.reset();
      goTo(session.leaf, -1);
      search.blur();
    },
    download: () => downloadJsonl(session),
  };
  main.replaceChildren(overview(session, actions));
  const branch = new BranchPanel(session, main, async ({ at }, copy) => {
    const isCopied = await copyText(addressOf(location.href, session, { leaf, target: at }));
    copy.textContent = isCopied ? "copied" : "not copied";
  });
  const tree = new TreePanel(
    session,
    {
      tree: part("tree", HTMLElement),
      search,
      filter: part("filter", HTMLSelectElement),
      matches: part("matches", HTMLElement),
    },
    (at) => goTo(isOnBranch(session, at, leaf) ? leaf : session.newestLeaf(at), at),
  );

  function goTo(newLeaf: number, newTarget: number): void {
    if (newLeaf !== leaf) branch.show(newLeaf);
    leaf = newLeaf;
    target = newTarget;
    tree.show(leaf, target < 0 ? leaf : target);
    if (target >= 0) branch.reveal(target);
    try {
      history.replaceState(undefined, "", addressOf(location.href, session, { leaf, target }));
    } catch {
      // Some browsers keep the address of pages from a disk as it is; links can still be copied.
    }
  }

  branch.show(leaf);
  tree.show(leaf, target < 0 ? leaf : target);
  if (target >= 0) branch.reveal(target);
  listenToKeys(actions, search);
  makeResizable(part("divider", HTMLElement), part("sidebar", HTMLElement));
}

try {
  start();
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  part("main", HTMLElement).replaceChildren(
    element("p", "notice", `The session of this page cannot be shown: ${reason}. Export it again.`),
  );
}
