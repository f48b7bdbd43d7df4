import { Formatter, Layer, Logger, References } from "effect"
import type { LogLevel } from "../config/Config.ts"

const levels = { error: "Error", warn: "Warn", info: "Info", debug: "Debug" } as const

/** One JSON object a line on standard output, which is what log collectors read. */
const jsonLines = Logger.map(Logger.formatStructured, ({ annotations, cause, level, message, timestamp }) => {
  const line = Formatter.formatJson({ time: timestamp, level: level.toLowerCase(), message, ...annotations, cause })
  process.stdout.write(`${line}\n`)
})

/** The server's log, from this level on. */
export const layer = (level: LogLevel): Layer.Layer<never> =>
  Layer.mergeAll(Logger.layer([jsonLines]), Layer.succeed(References.MinimumLogLevel, levels[level]))
