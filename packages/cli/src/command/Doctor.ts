import type { NamedFinding } from "@leadloom/server/internal/doctor/Doctor"
import { Command } from "commander"
import type { GlobalOptions } from "../Connection.ts"
import { exitCodes } from "../ExitCode.ts"
import { CommandFailed } from "../Failure.ts"
import { show } from "../Output.ts"
import { secretOf } from "../Secret.ts"
import type { Style, Terminal } from "../Terminal.ts"

const styles: Readonly<Record<NamedFinding["level"], Style>> = { ok: "green", warning: "yellow", problem: "red" }

/** The width of the column with the level of a finding: the length of the longest level in characters. */
const levelWidth = 7

const format = (terminal: Terminal, findings: ReadonlyArray<NamedFinding>): string =>
  findings
    .map(({ advice, check, found, level }, index) => {
      const heading = findings[index - 1]?.check === check ? "" : `${terminal.style("bold", check)}\n`
      const line = `  ${terminal.style(styles[level], level.padEnd(levelWidth))}  ${found}\n`
      return `${heading}${line}${advice === null ? "" : `  ${" ".repeat(levelWidth)}  → ${advice}\n`}`
    })
    .join("")

const doctor = async (terminal: Terminal, options: GlobalOptions): Promise<void> => {
  // A dynamic import, so that other commands start without loading the server.
  const { examine } = await import("@leadloom/server/internal/doctor/Doctor")
  const adminKey = await secretOf(terminal, options.adminKey, options.adminKeyFile)
  const env = adminKey === undefined ? terminal.env : { ...terminal.env, LEADLOOM_ADMIN_KEY: adminKey }
  const serverUrl = options.url ?? (terminal.env["LEADLOOM_URL"] || null)
  const findings = await examine(env, { serverUrl })
  const problems = findings.filter(({ level }) => level === "problem").length
  show(terminal, options.json === true, { problems, findings }, () => format(terminal, findings))
  if (problems > 0) {
    const count = problems === 1 ? "1 problem" : `${problems} problems`
    throw new CommandFailed(exitCodes.failed, "PROBLEMS_FOUND", `${count} found.`)
  }
}

/** `leadloom doctor`: reports the problems of this deployment and their fixes. */
export const doctorCommand = (terminal: Terminal): Command =>
  new Command("doctor")
    .description("check the configuration, database, clock, disk and server of this machine")
    .action((_, command: Command) => doctor(terminal, command.optsWithGlobals<GlobalOptions>()))
