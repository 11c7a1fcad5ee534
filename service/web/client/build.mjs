/** Bundles the scripts: `node build.mjs [folder]` those of the pages and the courts, by default into `../static`;
 * `node build.mjs folder tests/modules.ts` another entry. The same sources give the same bytes. */

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

const PAGES = ["account", "beside", "embedded", "game", "live_page", "passkeys", "puzzle"].map((name) => `src/${name}.ts`);
const [folder = "../static", ...entries] = process.argv.slice(2);

await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: entries.length ? entries : PAGES,
  outdir: folder,
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  minify: true,
  legalComments: "eof",
  logLevel: "warning",
});

if (!entries.length) {
  const { COURTS } = await import("./courts.mjs");
  writeFileSync(resolve(import.meta.dirname, folder, "courts.svg"), COURTS);
}
