import { defineConfig } from "tsup"

/**
 * One file for the command line, and chunks that it loads on demand: the server starts in half the time of its separate
 * modules, and the other commands never read it. Native modules stay outside.
 */
export default defineConfig({
  entry: {
    main: "src/main.ts",
    // A process of its own: `connectors/src/parse/ParseProcess.ts` starts it from the folder of the bundle.
    ParseProgram: "../connectors/src/parse/ParseProgram.ts"
  },
  format: "esm",
  outExtension: () => ({ js: ".mjs" }),
  outDir: "dist",
  target: "node22",
  platform: "node",
  splitting: true,
  sourcemap: false,
  clean: true,
  dts: false,
  external: ["better-sqlite3"],
  noExternal: [/^(?!better-sqlite3$)/u],
  esbuildOptions: (options) => {
    // Sources, not builds: the bundle needs no other build first.
    options.conditions = ["development", "leadloom:source", "node", "import", "module"]
    // Modules in the older format, bundled into a newer one, still ask for `require`.
    options.banner = {
      js: 'import { createRequire as createRequireOfBundle } from "node:module"\nconst require = createRequireOfBundle(import.meta.url)'
    }
  }
})
