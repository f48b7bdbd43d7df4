import { Formatter, Layer, Logger, References } from "effect"
import type { LogLevel } from "../config/Config.ts"

const levels = { error: "Error", warn: "Warn", info: "Info", debug: "Debug" } as const

/** Writes the log to standard output as one JSON object per line, because log collectors expect this format. */
const jsonLines = Logger.map(Logger.formatStructured, ({ annotations, cause, level, message, timestamp }) => {
  const line = Formatter.formatJson({ time: timestamp, level: level.toLowerCase(), message, ...annotations, cause })
  process.stdout.write(`${line}\n`)
})

/** Configures the log of the server with a minimum level. */
export const layer = (level: LogLevel): Layer.Layer<never> =>
  Layer.mergeAll(Logger.layer([jsonLines]), Layer.succeed(References.MinimumLogLevel, levels[level]))
