import progressBars from "cli-progress"
import type { Terminal } from "../Terminal.ts"

/** Shows how far a work on a database is. */
export interface DatabaseProgress {
  readonly update: (step: string, done: number, total: number) => void
  readonly end: () => void
}

/** Milliseconds between two lines where nobody looks: enough to see life, not enough to fill a log. */
const lineEvery = 5_000

const barWidth = 30
/** Measurements that the remaining time is guessed from. */
const etaSamples = 50

const bar = (unit: string): DatabaseProgress => {
  const format = `{bar} {percentage}% | {step} | {value} of {total} ${unit} | {eta_formatted} left`
  const options = { format, barsize: barWidth, etaBuffer: etaSamples, hideCursor: true }
  const shown = new progressBars.SingleBar(options, progressBars.Presets.shades_classic)
  let last = -1
  return {
    update: (step, done, total) => {
      // A new phase begins at the beginning.
      if (done < last || last < 0) shown.start(total, done, { step })
      else shown.update(done, { step })
      last = done
    },
    end: () => shown.stop()
  }
}

const lines = (terminal: Terminal, unit: string, now: () => number): DatabaseProgress => {
  let last = now()
  return {
    update: (step, done, total) => {
      if (now() - last < lineEvery) return
      last = now()
      const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
      terminal.err(`${step}: ${percent} %, ${done} of ${total} ${unit}\n`)
    },
    end: () => undefined
  }
}

/**
 * A bar for a person, a line every 5 s for a log; both on standard error. `unit` is what is counted, `now` gives
 * milliseconds.
 */
export const startDatabaseProgress = (terminal: Terminal, unit: string, now: () => number): DatabaseProgress =>
  terminal.isInteractive ? bar(unit) : lines(terminal, unit, now)

/** Nothing: for programs that read JSON. */
export const silentProgress: DatabaseProgress = { update: () => undefined, end: () => undefined }
