#!/usr/bin/env node
// `pi --mode rpc` as a module of its own, for hosts that start it by path.
import { main } from "./main.js";

process.title = "pi-rpc";
await main(["--mode", "rpc", ...process.argv.slice(2)]);
