// What the parser of the AsyncAPI initiative finds in each document: `node asyncapi.mjs FILE...`, as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { Parser } = createRequire(`${process.cwd()}/`)("@asyncapi/parser");
const findings = (file) => new Parser().validate(readFileSync(file, "utf8"), { source: file });
const told = ({ code, message, path, severity }) => ({ code, message, path, severity });
console.log(JSON.stringify((await Promise.all(process.argv.slice(2).map(findings))).map((found) => found.map(told))));
