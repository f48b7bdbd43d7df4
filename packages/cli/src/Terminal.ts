import { homedir } from "node:os"
import { text } from "node:stream/consumers"
import { styleText } from "node:util"

/** How a word may look. */
export type Style = "bold" | "dim" | "green" | "yellow" | "red" | "cyan"

/** What a command sees of the world: tests give it another one. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's home folder. */
  readonly home: string
  /** Writes to standard output: results. */
  readonly out: (text: string) => void
  /** Writes to standard error: progress and failures. */
  readonly err: (text: string) => void
  /** A person looks at standard error. */
  readonly isInteractive: boolean
  /** Everything on standard input. */
  readonly readInput: () => Promise<string>
  /** Plain where standard output is no terminal or `NO_COLOR` is set. */
  readonly style: (style: Style, text: string) => string
  /** Aborts when the user presses Ctrl-C, or the process is asked to end. */
  readonly signal: AbortSignal
}

/** The terminal of this process. A second Ctrl-C ends it at once. */
export const processTerminal = (): Terminal => {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  }
  process.on("SIGINT", stop)
  process.on("SIGTERM", stop)
  return {
    env: process.env,
    home: homedir(),
    out: (line) => process.stdout.write(line),
    err: (line) => process.stderr.write(line),
    isInteractive: process.stderr.isTTY === true,
    readInput: () => text(process.stdin),
    style: (style, line) => styleText(style, line, { stream: process.stdout }),
    signal: controller.signal
  }
}
