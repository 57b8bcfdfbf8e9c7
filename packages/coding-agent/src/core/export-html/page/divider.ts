const MIN = 160;
const KEY_STEP = 20;

/** Lets the reader set the width of the tree, with the mouse or with the arrow keys. */
export function makeResizable(divider: HTMLElement, sidebar: HTMLElement): void {
  const setWidth = (width: number) => {
    const most = Math.max(MIN, window.innerWidth - 2 * MIN);
    const set = Math.round(Math.min(Math.max(width, MIN), most));
    document.documentElement.style.setProperty("--sidebar", `${set}px`);
    divider.setAttribute("aria-valuenow", String(set));
  };
  divider.addEventListener("pointerdown", (event) => {
    divider.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  divider.addEventListener("pointermove", (event) => {
    if (divider.hasPointerCapture(event.pointerId)) setWidth(event.clientX);
  });
  divider.addEventListener("keydown", ({ key }) => {
    const steps = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
    if (steps !== 0) setWidth(sidebar.offsetWidth + steps * KEY_STEP);
  });
}
