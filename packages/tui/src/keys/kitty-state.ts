let active = false;

/** Says whether the terminal in use speaks the Kitty keyboard protocol; it changes what some bytes mean. */
export function setKittyProtocolActive(value: boolean): void {
  active = value;
}

/** Whether the terminal in use speaks the Kitty keyboard protocol. */
export function isKittyProtocolActive(): boolean {
  return active;
}
