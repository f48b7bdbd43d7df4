import { mkdir, writeFile } from "node:fs/promises"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import react from "@vitejs/plugin-react"
import { defaultClientConditions, defineConfig, type Plugin } from "vite"

const folderOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * Writes the list of bundled modules in the format of an esbuild metafile. `npm run pack` copies the licences of these
 * packages.
 */
const listModules: Plugin = {
  name: "leadloom:list-modules",
  async generateBundle() {
    const modules = [...this.getModuleIds()].filter((id) => !id.startsWith("\0"))
    const inputs = Object.fromEntries(modules.map((id) => [relative(folderOf("."), id.split("?", 1)[0] ?? ""), {}]))
    await mkdir(folderOf(".cache"), { recursive: true })
    await writeFile(folderOf(".cache/metafile.json"), JSON.stringify({ inputs }))
  }
}

/** Builds the files into the folder from which the server reads them. */
export default defineConfig({
  root: folderOf("."),
  cacheDir: folderOf(".cache/vite"),
  plugins: [react(), listModules],
  resolve: { conditions: ["leadloom:source", ...defaultClientConditions] },
  build: {
    outDir: folderOf("../server/page/console"),
    emptyOutDir: true,
    target: "es2023",
    // The content security policy permits no `data:` URLs and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The size test reads the chunks of each route from the manifest.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Every page needs this module and its imports. Otherwise, a dialog that needs some of them splits them into more files.
            { name: "Connection", test: /console\/src\/app\/Connection\.ts$/u }
          ]
        }
      }
    }
  }
})
