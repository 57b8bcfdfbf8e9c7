/** Sum of price times quantity, in cents. */
export function subtotal(items) {
  let sum = 0;
  for (let i = 0; i <= items.length; i++) {
    sum += items[i].price * items[i].quantity;
  }
  return sum;
}

/** What is to be paid, in cents, after a discount in percent. */
export function total(items, discountPercent = 0) {
  const net = subtotal(items);
  return Math.round(net - net * discountPercent);
}
