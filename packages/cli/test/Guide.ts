import { execFile, spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { shiftedClock } from "@leadloom/testkit/ShiftedClock"
import { leadloom } from "./ServerProcess.ts"

/** The tools that the guides need and this machine lacks. */
export const missingTools = ["bash", "curl", "sed"].filter((tool) => spawnSync(tool, ["--version"]).error !== undefined)

/** A note in the name of tests that cannot run. */
export const missingNote =
  missingTools.length === 0 ? "" : ` (NOT CHECKED: no ${missingTools.join(", ")} on this machine)`

/** Returns the ```sh blocks. Other blocks are not executed. */
const commandsOf = (markdown: string): ReadonlyArray<string> =>
  [...markdown.matchAll(/^```sh\n(?<commands>[\s\S]*?)^```$/gmu)].map((match) => match.groups?.["commands"] ?? "")

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

/**
 * Executes all commands of a guide in a folder that contains `leadloom`. Returns the output; rejects when a command
 * fails.
 */
export const follow = async (
  guide: string,
  folder: string,
  env: Readonly<Record<string, string>>
): Promise<{ readonly commands: number; readonly stdout: string }> => {
  const file = new URL(`../../../docs/how-to/${guide}`, import.meta.url)
  const commands = commandsOf(readFileSync(file, "utf8"))
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", commands.join("\n")], {
    cwd: folder,
    env: { HOME: folder, PATH: `${folder}${delimiter}${process.env["PATH"]}`, ...shiftedClock(), ...env }
  })
  return { commands: commands.length, stdout }
}
