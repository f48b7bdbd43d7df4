import { relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/**
 * Loads modules and prints the regular expressions that the modules construct while loading, as JSON. Node.js removes
 * types without moving code, so the line numbers in a stack trace are those of the source.
 */
const [root = "", ...files] = process.argv.slice(2)
const wanted = new Set(files)
const found: Array<{ readonly path: string; readonly line: number; readonly source: string; readonly flags: string }> =
  []

const record = ({ flags, source }: RegExp): void => {
  const frames = (new Error("not thrown").stack ?? "").split("\n")
  for (const frame of frames) {
    const { line, url } = /(?<url>file:\/\/[^\s()]+?):(?<line>\d+):\d+\)?$/u.exec(frame)?.groups ?? {}
    if (url === undefined || line === undefined || url === import.meta.url) continue
    const file = fileURLToPath(url)
    if (wanted.has(file))
      found.push({ path: relative(root, file).replaceAll("\\", "/"), line: Number(line), source, flags })
    return
  }
}

globalThis.RegExp = new Proxy(RegExp, {
  construct: (target, args, newTarget) => {
    const made: RegExp = Reflect.construct(target, args, newTarget)
    record(made)
    return made
  },
  apply: (target, self, args) => {
    const made: RegExp = Reflect.apply(target, self, args)
    record(made)
    return made
  }
})

for (const file of files) await import(pathToFileURL(file).href)
process.stdout.write(JSON.stringify(found), () => process.exit(0))
