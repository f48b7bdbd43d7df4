import { copyFile, cp } from "node:fs/promises"
import { defineConfig } from "tsup"

/** The files that the server reads from the folder of the bundle when a client requests them. */
const served = ["../api/openapi.json", "../server/page/reference.html"]

/** The built files of the web console, which the server sends too. */
const consoleFiles = "../server/page/console"

/**
 * Bundles the CLI into one file and chunks that it loads on demand. The server starts in half the time that separate
 * modules need, and the other commands never load it. Native modules stay outside the bundle.
 */
export default defineConfig({
  entry: {
    main: "src/main.ts",
    // Separate programs: `connectors/src/parse/SandboxedProgram.ts` finds them in the folder of the bundle.
    ParseProgram: "../connectors/src/parse/ParseProgram.ts",
    VerifyProgram: "../connectors/src/mailauth/VerifyProgram.ts",
    // `server/src/doctor/DoctorProcess.ts` finds it there too.
    DoctorProgram: "../server/src/doctor/DoctorProgram.ts"
  },
  format: "esm",
  outExtension: () => ({ js: ".mjs" }),
  outDir: "dist",
  target: "node22",
  platform: "node",
  splitting: true,
  sourcemap: false,
  // Lists the bundled packages, whose licences `npm run pack` copies.
  metafile: true,
  clean: true,
  dts: false,
  onSuccess: async () => {
    for (const file of served) await copyFile(file, `dist/${file.split("/").at(-1)}`)
    await cp(consoleFiles, "dist/console", { recursive: true, filter: (file) => !file.endsWith(".vite") })
  },
  // The second entry is for API reference pages of Effect (5 MB), which the server does not load.
  external: ["better-sqlite3", /\/httpApi(?:Scalar|Swagger)\.js$/u],
  noExternal: [/^(?!better-sqlite3$|.*\/httpApi(?:Scalar|Swagger)\.js$)/u],
  esbuildOptions: (options) => {
    // Node.js keeps the text of the bundle in memory, so comments and indentation are removed. Names stay, for stack
    // traces. Limited lines keep the report of an uncaught error short.
    options.minifyWhitespace = true
    options.minifySyntax = true
    options.lineLimit = 200
    // Resolves packages to their sources, so that the bundle needs no earlier build. esbuild adds `import` or `require`.
    options.conditions = ["leadloom:source", "node", "module"]
    // CommonJS modules within the ESM bundle still call `require`.
    options.banner = {
      js: 'import { createRequire as createRequireOfBundle } from "node:module"\nconst require = createRequireOfBundle(import.meta.url)'
    }
  }
})
