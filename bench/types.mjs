// Shapes shared by the benches.

/**
 * @typedef {object} BenchContext
 * @property {string[]} pi command that starts our program
 * @property {string[]} [peer] command that starts another one
 * @property {number} rounds
 */

/**
 * @typedef {object} BenchResult
 * @property {string} name
 * @property {"ms" | "MB" | "kB" | "B" | "%" | "µs CPU"} unit
 * @property {string} floorIs what the physical floor is
 * @property {Record<string, number>} figures medians: `floor`, `ours`, `peer`
 * @property {{ timesFloor?: number, overFloor?: number, atMost?: number }} [limit] what is aimed at
 */

export {};
