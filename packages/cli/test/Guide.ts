import { execFile, spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { shiftedClock } from "@leadloom/testkit/ShiftedClock"
import { type Block, blocksOf, showsOutput, type Step, stepsOf } from "./Markdown.ts"
import { leadloom } from "./ServerProcess.ts"

/** The tools that the guides need and this machine lacks. */
export const missingTools = ["bash", "curl", "sed"].filter((tool) => spawnSync(tool, ["--version"]).error !== undefined)

/** A note in the name of tests that cannot run. */
export const missingNote =
  missingTools.length === 0 ? "" : ` (NOT CHECKED: no ${missingTools.join(", ")} on this machine)`

/** Creates the command `leadloom` in a folder. */
export const installLeadloom = (folder: string): void => {
  const command = [process.execPath, ...leadloom].map((word) => `"${word}"`).join(" ")
  writeFileSync(join(folder, "leadloom"), `#!/bin/sh\nexec ${command} "$@"\n`)
  chmodSync(join(folder, "leadloom"), 0o755)
}

/** Makes `@leadloom/client` importable from a folder, and `node` the version that runs the tests. */
export const installClient = (folder: string): void => {
  mkdirSync(join(folder, "node_modules", "@leadloom"), { recursive: true })
  const client = fileURLToPath(new URL("../../client", import.meta.url))
  symlinkSync(client, join(folder, "node_modules", "@leadloom", "client"), "dir")
  writeFileSync(join(folder, "node"), `#!/bin/sh\nexec "${process.execPath}" --conditions=leadloom:source "$@"\n`)
  chmodSync(join(folder, "node"), 0o755)
}

/** The line that separates the outputs of two blocks. */
const separator = "-- end of a block --"

/** Returns the shell commands of a block. Node.js executes a block in TypeScript. */
const commandsOf = ({ code, language }: Block): string =>
  language === "ts" ? `cat > program.mts <<'END OF PROGRAM'\n${code}END OF PROGRAM\nnode program.mts\n` : code

/**
 * Returns the program that executes all blocks in one shell, so that later blocks see the variables of earlier ones.
 */
const programOf = (steps: ReadonlyArray<Step>): string =>
  steps.map(({ block }) => `${commandsOf(block)}printf '\\n%s\\n' '${separator}'\n`).join("")

const run = async (program: string, folder: string, env: Readonly<Record<string, string>>) => {
  const started = promisify(execFile)("bash", ["-euo", "pipefail", "-c", program], {
    cwd: folder,
    env: { HOME: folder, PATH: `${folder}${delimiter}${process.env["PATH"]}`, ...shiftedClock(), ...env }
  })
  return started.then(
    ({ stdout }) => ({ stdout, stderr: "", failed: false }),
    (error: { readonly stdout: string; readonly stderr: string }) => ({ ...error, failed: true })
  )
}

const placeOf = ({ block }: Step): string => `${block.page}:${block.line}`

/**
 * Executes all commands of a guide in a folder that contains `leadloom`, and compares their output with the output that
 * the guide shows. Returns the output; rejects when a command fails or prints something else. `guide` is a path
 * relative to `docs/how-to`. `replaced` maps texts of the page, such as a port, to those of the test.
 */
export const follow = async (
  guide: string,
  folder: string,
  env: Readonly<Record<string, string>>,
  replaced: Readonly<Record<string, string>> = {}
): Promise<{ readonly commands: number; readonly stdout: string }> => {
  const file = new URL(`../../../docs/how-to/${guide}`, import.meta.url)
  const markdown = Object.entries(replaced).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    readFileSync(file, "utf8")
  )
  const steps = stepsOf(blocksOf(guide, markdown))
  const { failed, stderr, stdout } = await run(programOf(steps), folder, env)
  const outputs = stdout.split(`\n${separator}\n`)
  for (const [index, step] of steps.entries()) {
    const output = outputs[index] ?? ""
    if (failed && index === outputs.length - 1) throw new Error(`${placeOf(step)} failed:\n${output}\n${stderr}`)
    if (step.expected !== null && !showsOutput(step.expected.code, output))
      throw new Error(`${placeOf(step)} shows another output than it prints:\n${output}`)
  }
  return { commands: steps.length, stdout: outputs.join("") }
}
