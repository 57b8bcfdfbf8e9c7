import assert from "node:assert/strict";
import { test } from "node:test";
import { subtotal, total } from "../src/cart.js";
import { formatPrice } from "../src/format.js";

const items = [
  { price: 250, quantity: 2 },
  { price: 705, quantity: 1 },
];

test("an empty cart costs nothing", () => {
  assert.equal(subtotal([]), 0);
});

test("the subtotal counts every item", () => {
  assert.equal(subtotal(items), 1205);
});

test("a discount is a percentage", () => {
  assert.equal(total(items, 10), 1085);
});

test("prices always have two decimals", () => {
  assert.equal(formatPrice(1205), "12.05 EUR");
});

test("whole prices too", () => {
  assert.equal(formatPrice(300), "3.00 EUR");
});

test("cents as they are", () => {
  assert.equal(formatPrice(1999), "19.99 EUR");
});
