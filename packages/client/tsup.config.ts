import { readdir, readFile, writeFile } from "node:fs/promises"
import { defineConfig, type Options } from "tsup"

/**
 * Bundles the entries of the package as ESM and CommonJS. `tsc -b` writes the declarations before. The entry `effect`
 * loads the entry `index`, so that both use the same `LeadloomError`.
 */
const bundle = (format: "esm" | "cjs", extension: ".js" | ".cjs"): Options => ({
  entry: { index: "src/index.ts", effect: "src/effect.ts" },
  format,
  outExtension: () => ({ js: extension }),
  outDir: "dist",
  target: "es2022",
  platform: "neutral",
  splitting: false,
  sourcemap: false,
  clean: false,
  dts: false,
  external: ["effect"],
  esbuildPlugins: [
    {
      name: "index",
      setup: ({ onResolve }) => {
        onResolve({ filter: /^\.\/index\.ts$/ }, () => ({ path: `./index${extension}`, external: true }))
      }
    }
  ]
})

const withExtension = (text: string, extension: ".js" | ".cjs"): string =>
  text.replaceAll(/(?<=(?:from|import\() ?"\.[^"]*)\.(?:ts|js)(?=")/gu, extension)

/**
 * Copies the declarations for CommonJS, because TypeScript reads the module format of a file from its extension.
 * Replaces `.ts` in their imports, which older versions of TypeScript reject.
 */
const copyDeclarations = async (): Promise<void> => {
  const names = (await readdir("dist", { recursive: true })).filter((name) => name.endsWith(".d.ts"))
  for (const name of names) {
    const text = (await readFile(`dist/${name}`, "utf8")).replace(/^\/\/# sourceMappingURL=.*\n?/mu, "")
    await writeFile(`dist/${name}`, withExtension(text, ".js"))
    await writeFile(`dist/${name.replace(/\.d\.ts$/u, ".d.cts")}`, withExtension(text, ".cjs"))
  }
}

export default defineConfig([bundle("esm", ".js"), { ...bundle("cjs", ".cjs"), onSuccess: copyDeclarations }])
