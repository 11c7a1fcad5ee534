/** Bundles the scripts: `node build.mjs [folder]` those of the pages and the courts, by default into `../static`;
 * `node build.mjs folder tests/modules.ts` another entry. The same sources give the same bytes. */

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

const LATER = ["lesson", "proof_panel"];
const PAGES = ["account", "beside", "embedded", "game", "live_page", "passkeys", "puzzle", "start", ...LATER].map((name) => `src/${name}.ts`);
const [folder = "../static", ...entries] = process.argv.slice(2);

/** What a script imports when it is wanted is a bundle of its own, beside it in the folder. */
const later = {
  name: "later",
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path }) => (
      kind === "dynamic-import" ? { path: path.replace(/\.ts$/, ".js"), external: true } : undefined));
  },
};

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
  plugins: [later],
});

if (!entries.length) {
  const { COURTS } = await import("./courts.mjs");
  writeFileSync(resolve(import.meta.dirname, folder, "courts.svg"), COURTS);
}
