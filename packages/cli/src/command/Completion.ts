import { Argument, Command } from "commander"
import { candidatesFor } from "../completion/Candidates.ts"
import { candidatesCommand, filesLine, scripts, type Shell } from "../completion/Scripts.ts"
import type { Terminal } from "../Terminal.ts"

/** `leadloom completion`: prints the completion script of a shell. */
export const completionCommand = (terminal: Terminal): Command =>
  new Command("completion")
    .description("print the completion script of a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(scripts)))
    .action((shell: Shell) => terminal.out(scripts[shell]))

/** The hidden command that completion scripts call. It reads the commands from `root`. */
export const candidatesCommandOf = (root: Command, terminal: Terminal): Command =>
  new Command(candidatesCommand).argument("[words...]").action((words: ReadonlyArray<string>) => {
    const { candidates, files } = candidatesFor(root, words)
    const lines = candidates.map(({ about, value }) => `${value}\t${about.replaceAll(/\s+/gu, " ")}\n`)
    terminal.out(`${lines.join("")}${files ? `${filesLine}\n` : ""}`)
  })
