import { dirname, sep } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * The start of programs that read untrusted content in a separate process. Such a program has no environment variables,
 * and Node.js permits it only to read its own files.
 */

/**
 * Returns the program in the folder of a module: a source file, a compiled module, or an entry of the same bundle.
 */
export const programBeside = (moduleUrl: string, name: string): URL => {
  const ending = /\.[cm]?[jt]s$/u.exec(moduleUrl)?.[0] ?? ".js"
  return new URL(`./${name}${ending}`, moduleUrl)
}

/**
 * Returns the folder that the process may read. A bundle (`.mjs`) needs only its own folder. Sources and compiled
 * modules import packages from any folder.
 */
const readableFolder = (file: string): string => (file.endsWith(".mjs") ? dirname(file) + sep : "*")

/**
 * Returns the Node.js options with which source files can import the sources of other packages. Builds import compiled
 * modules and need no options.
 */
export const conditions = (file: string): ReadonlyArray<string> =>
  file.endsWith(".ts") ? ["--conditions=leadloom:source"] : []

/** Returns the file of a program, and the Node.js options that restrict its process. */
export const sandboxed = (program: URL): { readonly file: string; readonly options: ReadonlyArray<string> } => {
  const file = fileURLToPath(program)
  return { file, options: ["--permission", `--allow-fs-read=${readableFolder(file)}`, ...conditions(file)] }
}
