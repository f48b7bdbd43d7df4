import progressBars from "cli-progress"
import type { Terminal } from "../Terminal.ts"

/** Shows how far a long work is. */
export interface Progress {
  /** Bytes of mail dealt with and mails answered so far. */
  readonly update: (bytes: number, mails: number) => void
  readonly end: () => void
}

/** Milliseconds between two lines where nobody looks: enough to see life, not enough to fill a log. */
const lineEvery = 5_000

const barWidth = 30
/** Measurements that the remaining time is guessed from. */
const etaSamples = 50

const bar = (totalBytes: number): Progress => {
  const format = "{bar} {percentage}% | {mails} mails | {eta_formatted} left"
  const options = { format, barsize: barWidth, etaBuffer: etaSamples, hideCursor: true }
  const shown = new progressBars.SingleBar(options, progressBars.Presets.shades_classic)
  shown.start(totalBytes, 0, { mails: 0 })
  return { update: (bytes, mails) => shown.update(bytes, { mails }), end: () => shown.stop() }
}

const lines = (terminal: Terminal, totalBytes: number, now: () => number): Progress => {
  let last = now()
  return {
    update: (bytes, mails) => {
      if (now() - last < lineEvery) return
      last = now()
      const percent = totalBytes === 0 ? 100 : Math.floor((bytes / totalBytes) * 100)
      terminal.err(`${percent} %, ${mails} mails\n`)
    },
    end: () => undefined
  }
}

/** Nothing: a program that reads JSON from standard error wants no other lines there. */
export const noProgress: Progress = { update: () => undefined, end: () => undefined }

/** A bar for a person, a line every 5 s for a log; both on standard error. `now` gives milliseconds. */
export const startProgress = (terminal: Terminal, totalBytes: number, now: () => number): Progress =>
  terminal.isInteractive ? bar(totalBytes) : lines(terminal, totalBytes, now)
