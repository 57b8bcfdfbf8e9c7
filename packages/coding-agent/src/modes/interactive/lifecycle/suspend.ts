import type { Desk } from "../desk.js";

/** Gives the terminal back and stops, as Ctrl+Z does everywhere; goes on with `fg`. */
export function suspend(desk: Desk): void {
  if (process.platform === "win32") {
    desk.status("Suspending is not possible on Windows");
    return;
  }
  const ignore = () => {};
  // Ctrl+C at the shell must not end a program that is stopped.
  process.on("SIGINT", ignore);
  // While a program is stopped nothing keeps it from being the last: the timer holds it until it goes on.
  const alive = setInterval(ignore, 1 << 30);
  process.once("SIGCONT", () => {
    clearInterval(alive);
    process.off("SIGINT", ignore);
    desk.screen.resume();
  });
  desk.screen.pause();
  process.kill(0, "SIGTSTP");
}
