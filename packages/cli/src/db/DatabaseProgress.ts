import progressBars from "cli-progress"
import type { Terminal } from "../Terminal.ts"

/** Shows the progress of a database operation. */
export interface DatabaseProgress {
  readonly update: (step: string, done: number, total: number) => void
  readonly end: () => void
}

/** The interval between two progress lines in a log, in milliseconds. */
const lineEvery = 5_000

const barWidth = 30
/** The number of progress measurements from which the remaining time is estimated. */
const etaSamples = 50

const bar = (unit: string): DatabaseProgress => {
  const format = `{bar} {percentage}% | {step} | {value} of {total} ${unit} | {eta_formatted} left`
  const options = { format, barsize: barWidth, etaBuffer: etaSamples, hideCursor: true }
  const shown = new progressBars.SingleBar(options, progressBars.Presets.shades_classic)
  let last = -1
  return {
    update: (step, done, total) => {
      // A count below the previous count means that a new phase has started.
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
 * Shows the progress on standard error: on a terminal as a bar, in a log as one line every 5 s. `unit` names the
 * counted items. `now` returns milliseconds.
 */
export const startDatabaseProgress = (terminal: Terminal, unit: string, now: () => number): DatabaseProgress =>
  terminal.isInteractive ? bar(unit) : lines(terminal, unit, now)

/** Shows no progress, for callers that read JSON. */
export const silentProgress: DatabaseProgress = { update: () => undefined, end: () => undefined }
