import { homedir } from "node:os"
import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"
import { buffer, text } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { styleText } from "node:util"

/** A text style of the terminal. */
export type Style = "bold" | "dim" | "green" | "yellow" | "red" | "cyan"

/** The parts of the environment that commands use. Tests pass a fake. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Writes results to standard output. */
  readonly out: (text: string) => void
  /** Writes bytes to standard output, as fast as its reader accepts them. */
  readonly write: (chunks: AsyncIterable<Uint8Array>) => Promise<void>
  /** Writes progress and failures to standard error. */
  readonly err: (text: string) => void
  /** True if standard error is a terminal. */
  readonly isInteractive: boolean
  /** Reads standard input to its end. */
  readonly readInput: () => Promise<string>
  /** Reads the bytes of standard input to its end. */
  readonly readBytes: () => Promise<Uint8Array>
  /** Asks the user a question and returns the answer. Null if no user is at the terminal. */
  readonly ask: ((question: string) => Promise<string>) | null
  /** Asks for a secret without showing it. Null if no user is at the terminal. */
  readonly askSecret: ((question: string) => Promise<string>) | null
  /** Returns plain text when standard output is not a terminal or `NO_COLOR` is set. */
  readonly style: (style: Style, text: string) => string
  /** Aborts on SIGINT (Ctrl-C) and SIGTERM. */
  readonly signal: AbortSignal
}

/** Asks a question. Ctrl-C and the end of the input count as the answer "n". */
const ask = async (question: string): Promise<string> => {
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  prompt.once("SIGINT", stop).once("close", stop)
  return prompt
    .question(question, { signal: controller.signal })
    .catch(() => "n")
    .finally(() => prompt.close())
}

/** Asks for a secret. The terminal does not show the typed characters. Ctrl-C counts as an empty answer. */
const askSecret = async (question: string): Promise<string> => {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: process.stdin, output, terminal: true })
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  prompt.once("SIGINT", stop).once("close", stop)
  process.stderr.write(question)
  return prompt
    .question("", { signal: controller.signal })
    .catch(() => "")
    .finally(() => {
      prompt.close()
      process.stderr.write("\n")
    })
}

/** Creates the terminal of this process. A second Ctrl-C ends the process immediately. */
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
    write: (chunks) => pipeline(chunks, process.stdout, { end: false }),
    err: (line) => process.stderr.write(line),
    isInteractive: process.stderr.isTTY === true,
    readInput: () => text(process.stdin),
    readBytes: () => buffer(process.stdin),
    ask: process.stdin.isTTY && process.stderr.isTTY ? ask : null,
    askSecret: process.stdin.isTTY && process.stderr.isTTY ? askSecret : null,
    style: (style, line) => styleText(style, line, { stream: process.stdout }),
    signal: controller.signal
  }
}
