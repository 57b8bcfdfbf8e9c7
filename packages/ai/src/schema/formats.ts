const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-]\d\d:?\d\d)?$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;
const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** The string formats that are checked; any other name accepts every string. */
const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  "date-time": (text) => {
    const [date, time, ...rest] = text.split(/[t\s]/i);
    return rest.length === 0 && date !== undefined && time !== undefined && isDate(date) && isTime(time);
  },
  email: (text) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:[^\s]+$/i.test(text),
  url: (text) => URL.canParse(text),
  uuid: (text) => /^(?:urn:uuid:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  ipv4: (text) => IPV4.test(text),
  ipv6: (text) => text.includes(":") && !text.includes("]") && URL.canParse(`http://[${text}]`),
  hostname: (text) => text.length <= 253 && text.split(".").every((label) => HOST_LABEL.test(label)),
  regex: (text) => {
    try {
      return new RegExp(text, "u") !== undefined;
    } catch {
      return false;
    }
  },
};

/** True when the text has the format, or when nothing is known about the format. */
export function hasFormat(text: string, format: string): boolean {
  return Object.hasOwn(CHECKS, format) ? (CHECKS[format]?.(text) ?? true) : true;
}

function isDate(text: string): boolean {
  const parts = DATE.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function isTime(text: string): boolean {
  const parts = TIME.exec(text);
  // A leap second is a valid time.
  return parts !== null && Number(parts[1]) <= 23 && Number(parts[2]) <= 59 && Number(parts[3]) <= 60;
}
