import { timeOf } from "./repair.js";

/** Reads times of entries. Most of them are of the day of the one before, whose beginning is known then. */
export class TimeReader {
  #day = "";
  #start = 0;

  /** Unix time in ms; 0 when it is none. */
  read(text: string): number {
    const inDay = millisecondsOfDay(text);
    if (inDay < 0) return timeOf(text);
    const day = text.slice(0, 11);
    if (day !== this.#day) {
      const start = timeOf(`${day}00:00:00.000Z`);
      if (start === 0) return timeOf(text);
      this.#day = day;
      this.#start = start;
    }
    return this.#start + inDay;
  }
}

/** From `YYYY-MM-DDTHH:MM:SS.mmmZ`; negative for what is written otherwise. */
function millisecondsOfDay(text: string): number {
  const isUsual = text.length === 24 && text[10] === "T" && text[13] === ":" && text[16] === ":" && text[23] === "Z";
  if (!isUsual || text[19] !== ".") return -1;
  const hours = digits(text, 11, 2);
  const minutes = digits(text, 14, 2);
  const seconds = digits(text, 17, 2);
  const milliseconds = digits(text, 20, 3);
  // What is no time of a day is left to the language.
  if (!(hours < 24 && minutes < 60 && seconds < 60 && milliseconds >= 0)) return -1;
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
}

/** NaN when one is none. */
function digits(text: string, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}
