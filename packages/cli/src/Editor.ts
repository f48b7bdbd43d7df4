import { spawn } from "node:child_process"
import { exitCodes } from "./ExitCode.ts"
import { CommandFailed } from "./Failure.ts"
import type { Terminal } from "./Terminal.ts"

/**
 * Opens a file in the user's editor and waits for its end. The variables may contain options, as in `code --wait`, so a
 * shell runs the command.
 * @throws CommandFailed when the editor does not start or reports a failure
 */
export const openEditor = async ({ env }: Terminal, file: string): Promise<void> => {
  const editor = env["VISUAL"] || env["EDITOR"] || "vi"
  const child = spawn(`${editor} "${file}"`, { shell: true, stdio: "inherit" })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", resolve)
  })
  if (code === 0) return
  const message = `The editor "${editor}" ended with ${code ?? "a signal"}. Set VISUAL or EDITOR to another command.`
  throw new CommandFailed(exitCodes.failed, "EDITOR_FAILED", message)
}
