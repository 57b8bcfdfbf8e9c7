/** Cents as a price: 1205 becomes "12.05 EUR". */
export function formatPrice(cents) {
  const whole = Math.floor(cents / 100);
  const rest = cents % 100;
  return `${whole}.${rest} EUR`;
}
