import { spawn } from "node:child_process"

/**
 * The result of a step. `note` appears after the duration, `output` after a failure.
 * @typedef {{ ok: boolean, note?: string, output?: string }} Outcome
 */

/** @param {number} since */
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** A failure that the user can fix. It is printed as one line without a stack trace. */
export class StepFailed extends Error {
  /**
   * @param {string} message the failure and the next step
   * @param {number} [exitCode] the exit code of the task
   */
  constructor(message, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/**
 * Runs a program and waits for its end.
 * @param {string} program
 * @param {ReadonlyArray<string>} args
 * @param {{ cwd: string, env?: Record<string, string | undefined>, live?: boolean }} options `live` connects
 *   the program to the terminal; otherwise the output is collected
 * @returns {Promise<{ code: number, output: string }>} code 127 for an unknown program
 */
export const command = (program, args, options) =>
  new Promise((resolve) => {
    /** @type {Array<Buffer>} */
    const chunks = []
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: options.live ? "inherit" : ["ignore", "pipe", "pipe"]
    })
    // The terminal sends Ctrl-C to the child too. This process waits until the child has ended.
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => child.kill(signal)
    const ignore = () => undefined
    process.on("SIGTERM", pass)
    process.on("SIGINT", ignore)
    /** @param {number} code */
    const done = (code) => {
      process.off("SIGTERM", pass)
      process.off("SIGINT", ignore)
      resolve({ code, output: Buffer.concat(chunks).toString("utf8") })
    }
    child.stdout?.on("data", (chunk) => chunks.push(chunk))
    child.stderr?.on("data", (chunk) => chunks.push(chunk))
    child.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      chunks.push(Buffer.from(String(error.message)))
      done(error.code === "ENOENT" ? 127 : 126)
    })
    child.on("close", (code, signal) => done(code ?? (signal === "SIGINT" ? 130 : 143)))
  })

/** The escape sequence that clears the rest of a line. */
const clear = "\u001b[K"

/**
 * Runs one step and prints its line: `[2/6] Types … 3.1 s`. On a terminal, the duration updates every second.
 * @param {{ number: number, total: number, label: string, live?: boolean }} about `live`: the step prints its own output
 * @param {() => Promise<Outcome>} work
 * @param {{ write: (text: string) => unknown, isTTY?: boolean }} [screen]
 * @returns {Promise<boolean>} whether the step succeeded
 */
export const step = async (about, work, screen = process.stdout) => {
  const since = performance.now()
  const head = `[${about.number}/${about.total}] ${about.label} …`
  const ticks = screen.isTTY === true && !about.live
  screen.write(about.live ? `${head}\n` : head)
  const timer = ticks ? setInterval(() => screen.write(`\r${head} ${seconds(since)}${clear}`), 1_000) : undefined
  /** @param {string} text */
  const ends = (text) => {
    clearInterval(timer)
    screen.write(ticks ? `\r${head} ${text}${clear}\n` : `${about.live ? head : ""} ${text}\n`)
  }
  try {
    const result = await work()
    const note = result.note === undefined ? "" : ` (${result.note})`
    ends(result.ok ? `${seconds(since)}${note}` : `failed after ${seconds(since)}${note}`)
    if (!result.ok && result.output !== undefined) screen.write(`${result.output.trimEnd()}\n`)
    return result.ok
  } catch (error) {
    ends(`failed after ${seconds(since)}`)
    throw error
  }
}
