// What the parser of the AsyncAPI initiative finds in a document: `node asyncapi.mjs FILE`, as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { Parser } = createRequire(`${process.cwd()}/`)("@asyncapi/parser");
const file = process.argv[2];
const found = await new Parser().validate(readFileSync(file, "utf8"), { source: file });
console.log(JSON.stringify(found.map(({ code, message, path, severity }) => ({ code, message, path, severity }))));
